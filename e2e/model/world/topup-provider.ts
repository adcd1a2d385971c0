// A provider that watches a chain for a top-up: transfers are seen, confirmed, or gone again. It reports totals.
import type { Asked, Fact } from "./history";
import type { Report } from "./reports";

interface Transfer {
  readonly percent: number;
  readonly token: "asked" | "other";
  state: "seen" | "confirmed" | "dropped";
}

export interface TopupTruth {
  readonly transfers: Transfer[];
  isClosed: boolean;
}

const OTHER_TOKEN = "USDC";

export function newTopupTruth(): TopupTruth {
  return { transfers: [], isClosed: false };
}

/** Percents of the requested amount that arrived in a token; `confirmed` excludes what can still be undone. */
function totalOf(truth: TopupTruth, token: Transfer["token"], confirmed: boolean): number {
  return truth.transfers
    .filter((one) => one.token === token && (one.state === "confirmed" || (!confirmed && one.state === "seen")))
    .reduce((sum, { percent }) => sum + percent, 0);
}

function funds(asked: Asked, token: Transfer["token"], percent: number, confirmed: boolean): Report | null {
  if (percent === 0) return null;
  const currency = token === "asked" ? asked.currency : OTHER_TOKEN;
  const amount = ((asked.amount * BigInt(percent)) / 100n).toString();
  return { status: "funds_seen", amount, currency, confirmed, provider_reference: "addr-0" };
}

/** What the provider reports for a fact; null if it cannot happen. */
export function topupUpdates(truth: TopupTruth, fact: Fact, asked: Asked): Report | null {
  switch (fact.fact) {
    case "instruct":
      return { status: "requires_action", next_action: "instructions", provider_reference: "addr-0" };
    case "decline":
      truth.isClosed = true;
      return { status: "declined" };
    case "give_up":
      truth.isClosed = true;
      return { status: "expired" };
    case "send": {
      truth.transfers.push({ percent: fact.percent, token: fact.token, state: "seen" });
      return funds(asked, fact.token, totalOf(truth, fact.token, false), false);
    }
    case "confirm": {
      const open = truth.transfers.filter(({ state }) => state === "seen");
      const [first] = open;
      if (!first) return null;
      const confirmed = fact.extent === "all" ? open.filter(({ token }) => token === first.token) : [first];
      for (const transfer of confirmed) transfer.state = "confirmed";
      return funds(asked, first.token, totalOf(truth, first.token, true), true);
    }
    case "drop": {
      const gone = truth.transfers.findLast(({ state, token }) => state !== "dropped" && token === "asked");
      if (!gone) return null;
      gone.state = "dropped";
      const amount = ((asked.amount * BigInt(totalOf(truth, "asked", false))) / 100n).toString();
      return { status: "funds_dropped", amount, currency: asked.currency, provider_reference: "addr-0" };
    }
    default:
      return null;
  }
}
