import type { ApprovalPolicy } from "@/server/domain/approval-policy";
import {
  DEMO_PAYMENTS,
  DEMO_PAYOUTS,
  DEMO_TOPUPS,
  type DemoPayment,
  type DemoPayout,
  type DemoTopup,
} from "./demo-intents";

/** What `npm run seed` creates for one merchant of the test environment. */
export interface Scenario {
  /** One line for the help text. */
  readonly summary: string;
  /** Confirmed before the first payout is created. Null keeps the policy of every new merchant: one approval. */
  readonly policy: ApprovalPolicy | null;
  readonly payments: readonly DemoPayment[];
  readonly payouts: readonly DemoPayout[];
  readonly topups: readonly DemoTopup[];
}

/** More than three pages of every list. */
const LONG_LIST = 160;

function repeat<Row>(rows: readonly Row[], count: number): Row[] {
  return Array.from({ length: count }, (_, n) => rows[n % rows.length] as Row);
}

const [transfer] = DEMO_PAYMENTS;
const PAID_LATE: DemoPayment = { ...(transfer as DemoPayment), amount: "45090", steps: ["expired", "succeeded"] };
const RETURNED: Pick<DemoPayout, "steps"> = { steps: ["approve", "settled", "returned"] };

export const SCENARIOS = {
  demo: {
    summary: "intents in every status",
    policy: null,
    payments: DEMO_PAYMENTS,
    payouts: DEMO_PAYOUTS,
    topups: DEMO_TOPUPS,
  },
  empty: {
    summary: "a merchant without intents, for empty pages",
    policy: null,
    payments: [],
    payouts: [],
    topups: [],
  },
  "pending-approvals": {
    summary: "payouts that await one or two approvals, some approved once",
    policy: { defaultApprovals: 1, rules: [{ currency: "USD", amountAtLeast: 50_000n, approvals: 2 }] },
    payments: [],
    payouts: [
      ...DEMO_PAYOUTS.map((payout) => ({ ...payout, steps: [] })),
      ...DEMO_PAYOUTS.filter(({ currency }) => currency === "USD").map((payout) => ({
        ...payout,
        steps: ["approve"] as const,
      })),
    ],
    topups: [],
  },
  exceptions: {
    summary: "a late payment, returned payouts and late, missing or surplus top-up funds, each with its exception",
    policy: null,
    payments: [PAID_LATE],
    payouts: DEMO_PAYOUTS.slice(0, 3).map((payout) => ({ ...payout, ...RETURNED })),
    topups: [
      { currency: "BRL", country: "BR", amount: "1200000", network: "tron", steps: ["expired", "succeeded"] },
      { currency: "MXN", country: "MX", amount: "1800050", network: "ethereum", steps: ["underpaid", "expired"] },
      { currency: "USD", country: "US", amount: "250000", network: "polygon", steps: ["overpaid"] },
    ],
  },
  "long-lists": {
    summary: `${LONG_LIST} payments, payouts and top-ups, for paging and filters`,
    policy: null,
    payments: repeat(DEMO_PAYMENTS, LONG_LIST),
    // Small amounts, so that the wallets of a new test merchant cover all of them.
    payouts: repeat(DEMO_PAYOUTS, LONG_LIST).map((payout, n) => ({ ...payout, amount: String(10_000 + 100 * n) })),
    topups: repeat(DEMO_TOPUPS, LONG_LIST),
  },
} satisfies Readonly<Record<string, Scenario>>;

export type ScenarioName = keyof typeof SCENARIOS;

/** True for the name of a scenario. */
export function isScenarioName(name: string): name is ScenarioName {
  return Object.hasOwn(SCENARIOS, name);
}
