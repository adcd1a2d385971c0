// Tests the sentences that frame a message to the operator.
import { expect, it } from "vitest";
import type { Item } from "./items";
import { mailText, slackBody } from "./message";

const FRAME = { environment: "live", timeZone: "UTC", dashboard: null } as const;
const BARE = { merchant: null, time: null, path: "", data: {} } as const;
const TEST: Item = { ...BARE, type: "test", text: "this is a test: notifications reach you here" };
const EXCEPTION: Item = { ...BARE, type: "exception_opened", text: "exception exc_1 of kind unmatched_funds" };

it("a test message speaks of no merchant; what belongs to none says so", () => {
  for (const text of [mailText([TEST], FRAME), slackBody([TEST], FRAME)]) {
    expect(text).toContain("This is a test: notifications reach you here.");
    expect(text).not.toContain("No merchant");
  }
  expect(mailText([EXCEPTION], FRAME)).toContain("No merchant: exception exc_1");
});

it.each(["test", "live"] as const)("the mail to the operator ends with a whole command, in %s", (environment) => {
  const command = `npm run -s cli -- notifications list --environment ${environment}\n`;
  expect(mailText([TEST], { ...FRAME, environment }).endsWith(`: ${command}`)).toBe(true);
});
