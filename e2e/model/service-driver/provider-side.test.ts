// Tests how the driver interprets an answer of the provider, by the limits of the docs.
import { beforeEach, describe, expect, it } from "vitest";
import type { Observation } from "../oracle/observation";
import type { Oracle } from "../oracle/oracle";
import type { CreationCourse, History } from "../world/history";
import { World } from "../world/world";
import { Occurrences } from "./occurrences";
import { ProviderSide } from "./provider-side";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const WINDOW = 30 * MINUTE;

let world: World;
let provider: ProviderSide;
let occurrences: Occurrences;

function begin(creations: readonly CreationCourse[], more: Partial<History> = {}): void {
  const policies = { overpayment: "hold", underpayment: "hold", latePayment: "hold" } as const;
  const base = {
    kind: "payment",
    protocol: 1,
    hasFallback: false,
    cancels: false,
    losesRest: true,
    reusesId: false,
  } as const;
  const history: History = {
    ...base,
    ...policies,
    creations,
    approvals: 1,
    isRefused: false,
    terms: "plain",
    steps: [],
    ...more,
  };
  world = new World(history, { amount: 1_050n, currency: "BRL", expiresAt: WINDOW });
  occurrences = new Occurrences();
  const around = { world, occurrences, synchronize: () => undefined, readDueAt: () => Promise.resolve(null) };
  provider = new ProviderSide(around);
}

interface Heard {
  /** For the latest answer. */
  isLastWord: boolean;
  windowEnded: boolean;
}

/** What the oracle receives of all answers so far. */
function heard(): Heard {
  const found: Heard = { isLastWord: false, windowEnded: false };
  const oracle = {
    observe: ({ isLastWord }: Observation) => {
      found.isLastWord = isLastWord;
    },
    windowEnded: () => {
      found.windowEnded = true;
    },
  } as Oracle;
  for (const one of occurrences.all) one.apply(oracle);
  return found;
}

describe("a denial", () => {
  beforeEach(() => begin(["request_lost", "not_accepted"]));

  it("is not the last word while an unanswered call can still arrive", () => {
    provider.create("v1-plain");
    world.now = 9 * MINUTE;
    provider.create("v1-plain");
    expect(heard().isLastWord).toBe(false);
  });

  it("of a creation is the last word once every call before it is dead", () => {
    provider.create("v1-plain");
    world.now = 10 * MINUTE;
    provider.create("v1-plain");
    expect(heard().isLastWord).toBe(true);
  });

  it("of a query is the last word after 23 hours, but not for a payout, which may be forgotten", () => {
    for (const kind of ["payment", "payout"] as const) {
      begin(["request_lost"], { kind });
      provider.create("v1-plain");
      world.now = 23 * HOUR;
      provider.query();
      expect(heard().isLastWord).toBe(kind === "payment");
    }
  });

  it("of a query is the last word after five calls, ten minutes after the latest", () => {
    begin(
      Array.from({ length: 5 }, () => "request_lost" as const),
      { kind: "payout" },
    );
    for (let call = 0; call < 5; call += 1) provider.create("v1-plain");
    provider.query();
    expect(heard().isLastWord).toBe(false);
    world.now = 10 * MINUTE;
    provider.query();
    expect(heard().isLastWord).toBe(true);
  });
});

describe("the window", () => {
  it("ends with a clear answer after its end", () => {
    begin(["answered"]);
    provider.create("v1-plain");
    provider.query();
    expect(heard().windowEnded).toBe(false);
    world.now = WINDOW;
    provider.query();
    expect(heard().windowEnded).toBe(true);
  });

  it("does not end with a denial that a creation without an answer follows in the same poll", () => {
    begin(["request_lost", "request_lost"]);
    provider.create("v1-plain");
    world.now = WINDOW;
    provider.query();
    provider.create("v1-plain");
    expect(heard().windowEnded).toBe(false);
  });

  it("stays open for a minute while a cancel call does not close the intent", () => {
    begin(["answered"], { cancels: true });
    provider.create("v1-plain");
    world.happen({ fact: "pay", money: 0, sum: "less", isNamed: true });
    world.now = WINDOW;
    provider.query();
    provider.cancel();
    expect(heard().windowEnded).toBe(false);
    world.now = WINDOW + MINUTE;
    provider.cancel();
    expect(heard().windowEnded).toBe(true);
  });
});

describe("a first provider that can be left", () => {
  it("has no last word when it refuses, but the second one does", () => {
    begin(["not_accepted", "not_accepted"], { hasFallback: true });
    provider.create("v1-first");
    expect(heard().isLastWord).toBe(false);
    provider.create("v1-second");
    expect(heard().isLastWord).toBe(true);
    expect(world.hasFormer).toBe(true);
    expect(provider.wasLeftInDoubt).toBe(false);
  });

  it("is left in doubt if it could have the intent", () => {
    begin(["request_lost", "not_accepted"], { hasFallback: true });
    provider.create("v1-first");
    provider.create("v1-first");
    provider.create("v1-second");
    expect(provider.wasLeftInDoubt).toBe(true);
  });
});

it("a creation after a report is marked as sent after acceptance", () => {
  begin(["answered"]);
  provider.create("v1-plain");
  expect(provider.sentAfterAcceptance).toBe(false);
  provider.create("v1-plain");
  expect(provider.sentAfterAcceptance).toBe(true);
});
