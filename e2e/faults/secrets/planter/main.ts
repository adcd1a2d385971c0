// A process that plants secrets through the service's own code, and opens them again. Its first word names the work, and
// its output is one of the logs that are searched.
import { readFileSync } from "node:fs";
import { logWarningsOnly } from "@/server/platform/env";
import { openCommandSession } from "@/server/services/command-session";
import type { TestMerchant } from "@/server/testing/merchant";
import { serveRequests } from "../../../support/resident";
import { plantManyRecipients, plantMerchant, plantRecipients, plantSecrets } from "./plant";
import { verifySecrets } from "./verify";

let merchant: TestMerchant | null = null;

const WORKS: Readonly<Record<string, (...words: readonly string[]) => Promise<unknown>>> = {
  async merchant() {
    const made = await plantMerchant();
    ({ merchant } = made);
    return made.planted;
  },
  secrets: (merchants = "") => plantSecrets(Number(merchants)),
  recipients(seed = "", count = "") {
    if (!merchant) throw new Error("there is no merchant yet");
    return plantRecipients(merchant, seed, Number(count));
  },
  "many recipients": (seed = "", count = "") => plantManyRecipients(seed, Number(count)),
  verify(seed = "", file = "") {
    return verifySecrets(seed, new Map(Object.entries(JSON.parse(readFileSync(file, "utf8")) as object)));
  },
};

logWarningsOnly();
const session = await openCommandSession({ migrates: false });
process.once("disconnect", () => void session.close().finally(() => process.exit(0)));
serveRequests(async ([name = "", ...words]) => {
  const work = WORKS[name];
  if (!work) throw new Error(`there is no work ${name}`);
  return work(...words);
});
