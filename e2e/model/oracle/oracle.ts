// One face for the oracles of all kinds.
import type { Asked, History } from "../world/history";
import type { Expectation, Observation } from "./observation";
import { PaymentOracle } from "./payment-oracle";
import { PayoutOracle } from "./payout-oracle";
import { TopupOracle } from "./topup-oracle";

export interface Oracle {
  observe(observation: Observation): void;
  /** The service polled at or after the end of the payer's window and received a clear answer, already observed. */
  windowEnded(): void;
  /** The merchant's side approved the payout; cancelled it, or let it lapse. */
  approve(): void;
  cancel(): void;
  /** The screener refused the payout, which had not been sent. */
  refuse(): void;
  /** Nothing more will happen and days have passed. */
  rested(): void;
  expectation(): Expectation;
  /** True if the docs leave open what the reports mean. */
  readonly isDisputed: boolean;
  /** True if the expectation holds after every observation, not only at rest. */
  readonly isStepwise: boolean;
}

const nothing = () => undefined;

/** The oracle of a history; `destination` is the wallet's currency of a top-up. */
export function oracleOf(history: History, asked: Asked, destination: string): Oracle {
  if (history.kind === "payment") {
    const oracle = new PaymentOracle(asked, history.protocol);
    return {
      observe: (observation) => oracle.observe(observation),
      windowEnded: () => oracle.windowEnded(),
      approve: nothing,
      cancel: nothing,
      refuse: nothing,
      rested: () => oracle.rested(),
      expectation: () => oracle.expectation(),
      isDisputed: false,
      isStepwise: true,
    };
  }
  if (history.kind === "payout") {
    const oracle = new PayoutOracle(asked, history.approvals);
    return {
      observe: (observation) => oracle.observe(observation),
      windowEnded: nothing,
      approve: () => oracle.approve(),
      cancel: () => oracle.cancel(),
      refuse: () => oracle.refuse(),
      rested: () => oracle.rested(),
      expectation: () => oracle.expectation(),
      isDisputed: false,
      isStepwise: true,
    };
  }
  const oracle = new TopupOracle(asked, history, destination);
  return {
    observe: (observation) => oracle.observe(observation),
    windowEnded: () => oracle.windowEnded(),
    approve: nothing,
    cancel: nothing,
    refuse: nothing,
    rested: () => oracle.rested(),
    expectation: () => oracle.expectation(),
    get isDisputed() {
      return oracle.isDisputed;
    },
    isStepwise: false,
  };
}
