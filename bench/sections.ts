// The order of the sections; the first ones are measured even if time runs short.
import type { Section } from "./bench";
import { createSection } from "./cases/creates";
import { deliverySection } from "./cases/deliveries";
import { filterSection } from "./cases/filters";
import { hostileSection } from "./cases/hostile-receivers";
import { lateAnswerSection } from "./cases/late-answers";
import { memorySection } from "./cases/memory";
import { navigationSection } from "./cases/navigation";
import { payoutSection } from "./cases/payouts";
import { processSection } from "./cases/processes";
import { readSection, replaySection } from "./cases/reads";
import { reapingSection } from "./cases/reaping";
import { startSection } from "./cases/starts";

export const SECTIONS: readonly Section[] = [
  // Runs before there are tens of thousands of payments to poll, since their number would dominate the result.
  lateAnswerSection,
  createSection,
  replaySection,
  readSection,
  payoutSection,
  filterSection,
  deliverySection,
  memorySection,
  reapingSection,
  processSection,
  navigationSection,
  startSection,
  hostileSection,
];
