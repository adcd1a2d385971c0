// Tests the sentences that frame a message to the operator.
import { expect, it } from "vitest";
import type { Item } from "./describe";
import { mailText, slackBody, subjectOf } from "./message";

const FRAME = { environment: "live", timeZone: "UTC", dashboard: null, language: "en" } as const;
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

it("a mail is in its reader's language", () => {
  const items: Item[] = [
    {
      ...BARE,
      type: "approval_waiting",
      text: "o repasse de 1.250,50 BRL aguarda a sua aprovação",
      path: "payouts/word_1",
      time: { label: "until", at: new Date("2026-11-26T10:05:00Z") },
    },
    {
      ...BARE,
      type: "approval_waiting",
      text: "o repasse de 1,00 BRL aguarda a sua aprovação",
      path: "payouts/word_2",
    },
  ];
  const frame = { environment: "live", timeZone: "UTC", dashboard: "https://pay.example", language: "pt-BR" } as const;
  expect(subjectOf(items, frame)).toBe("Sluice (produção): 2 repasses aguardam a sua aprovação");
  expect(mailText(items, frame)).toBe(`2 repasses aguardam a sua aprovação

- O repasse de 1.250,50 BRL aguarda a sua aprovação, até 2026-11-26 10:05 UTC.
  https://pay.example/live/payouts/word_1
- O repasse de 1,00 BRL aguarda a sua aprovação.
  https://pay.example/live/payouts/word_2

Você escolheu estas notificações: https://pay.example/live/notifications
`);
  expect(slackBody(items, { ...frame, language: "es" })).toContain("|Abrir>");
});
