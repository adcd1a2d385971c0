// What a check of an account's configuration finds.
import { expect, it } from "vitest";
import { FakeDlocal } from "@/e2e/support/fake-dlocal/server";
import { withFake } from "../testing/fake";
import { signal } from "../testing/outcomes";
import { createDlocalInspection } from "./inspection";
import { configAt, OWNER } from "./testing/entry";

let fake: FakeDlocal;
withFake(FakeDlocal.start, (started) => {
  fake = started;
  fake.open(OWNER.login, OWNER);
});

const inspect = (changes: object = {}) => createDlocalInspection(configAt(fake.url, changes))(signal);
const ACCEPTED = { level: "ok", text: `dLocal accepts the keys of account ${OWNER.login}` };

it("accepted keys are fine, and only calls that change nothing were made, one for each country", async () => {
  expect(await inspect({ payment_methods: ["CO_PSE", "BR_PIX", "BR_BOLETO"] })).toEqual([ACCEPTED]);
  expect(fake.calls.map(({ method, path }) => `${method} ${path}`).toSorted()).toEqual([
    "GET /payments-methods?country=BR",
    "GET /payments-methods?country=CO",
  ]);
});

it("an entry without methods asks about one country", async () => {
  expect(await inspect({ payment_methods: [] })).toEqual([ACCEPTED]);
  expect(fake.calls).toHaveLength(1);
});

it.each([{ account: "another" }, { trans_key: "other" }, { secret_key: "x".repeat(32) }])(
  "%j that dLocal rejects is a fault",
  async (changes) => {
    const text = "dLocal rejects account, trans_key or secret_key, or this address";
    expect(await inspect(changes)).toEqual([{ level: "fault", text }]);
  },
);

it("a method that the account does not have, or not by redirect, is a warning", async () => {
  const offers = { payment_methods: ["CO_PSE", "PE_PAGOEFECTIVO"] };
  const answers = [
    { id: "PC", name: "PSE", allowed_flows: ["DIRECT"] },
    { id: "EY", name: "Efecty", allowed_flows: ["REDIRECT"] },
    { id: "NX", name: `Nequi\n${"x".repeat(500)}`, allowed_flows: ["REDIRECT"] },
    { id: "7", allowed_flows: null },
  ];
  class Partial extends FakeDlocal {
    protected override execute(...call: Parameters<FakeDlocal["execute"]>): ReturnType<FakeDlocal["execute"]> {
      const [{ path }] = call;
      return path.endsWith("CO") ? [200, answers] : super.execute(...call);
    }
  }
  const partial = await new Partial().listen();
  partial.open(OWNER.login, OWNER);
  expect(await createDlocalInspection(configAt(partial.url, offers))(signal)).toEqual([
    ACCEPTED,
    {
      level: "warning",
      text: `the account does not have CO_PSE (PC) by redirect; in CO it has EY Efecty, NX Nequi ${"x".repeat(31)}`,
    },
  ]);
  await partial.stop();
});

it.each(["error_before", "html", "lost_answer", "rate_limited"] as const)(
  "an answer with %s is a warning: dLocal may be away while Sluice starts",
  async (fault) => {
    fake.spoil(/country=CO/, fault);
    expect(await inspect({ payment_methods: ["CO_PSE"] })).toMatchObject([{ level: "warning" }]);
  },
);
