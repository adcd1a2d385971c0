// Random histories for each kind of intent, weighted so that common courses and rare faults both occur often.
import fc from "fast-check";
import {
  CREATION_COURSES,
  type Fact,
  FLAWS,
  type History,
  type Kind,
  MISDIRECTED,
  POLICIES,
  QUERY_COURSES,
  type Step,
  SUMS,
  TERMS,
  WAITS,
} from "./history";

const plain = <const Name extends string>(...names: Name[]) => fc.record({ fact: fc.constantFrom(...names) });
const sum = fc.oneof(
  { arbitrary: fc.constant("right" as const), weight: 4 },
  { arbitrary: fc.constantFrom(...SUMS), weight: 1 },
);

const isNamed = fc.integer({ min: 0, max: 3 }).map((draw) => draw > 0);

const formerFact: fc.Arbitrary<Fact> = fc.oneof(
  {
    arbitrary: fc.record({ fact: fc.constant("former_pays" as const), money: fc.nat({ max: 1 }), sum, isNamed }),
    weight: 3,
  },
  { arbitrary: plain("former_accepts"), weight: 1 },
);

const paymentFact: fc.Arbitrary<Fact> = fc.oneof(
  { arbitrary: plain("payer_acts"), weight: 3 },
  { arbitrary: plain("instruct"), weight: 2 },
  {
    arbitrary: fc.record({
      fact: fc.constant("pay" as const),
      money: fc.nat({ max: 2 }),
      sum,
      isNamed,
    }),
    weight: 5,
  },
  { arbitrary: fc.record({ fact: fc.constant("correct" as const), money: fc.nat({ max: 2 }), sum }), weight: 1 },
  { arbitrary: plain("decline", "payer_cancels", "give_up"), weight: 2 },
  { arbitrary: plain("forget", "restore"), weight: 1 },
  { arbitrary: formerFact, weight: 1 },
);

const payoutFact: fc.Arbitrary<Fact> = fc.oneof(
  { arbitrary: fc.record({ fact: fc.constant("settle" as const), sum, isNamed }), weight: 5 },
  {
    arbitrary: fc.record({
      fact: fc.constant("settle_again" as const),
      sum,
      reference: fc.constantFrom("same" as const, "other" as const),
    }),
    weight: 2,
  },
  { arbitrary: plain("decline", "reject_recipient"), weight: 3 },
  {
    arbitrary: fc.record({
      fact: fc.constant("return" as const),
      bank: fc.nat({ max: 2 }),
      percent: fc.constantFrom(25, 50, 100, 100),
    }),
    weight: 4,
  },
  { arbitrary: plain("forget", "restore"), weight: 2 },
  {
    arbitrary: fc.record({ fact: fc.constant("misdirect" as const), status: fc.constantFrom(...MISDIRECTED) }),
    weight: 3,
  },
  { arbitrary: formerFact, weight: 1 },
);

const topupFact: fc.Arbitrary<Fact> = fc.oneof(
  {
    arbitrary: fc.record({
      fact: fc.constant("send" as const),
      percent: fc.constantFrom(10, 40, 60, 100, 100, 150),
      token: fc.integer({ min: 0, max: 9 }).map((draw) => (draw === 0 ? ("other" as const) : ("asked" as const))),
    }),
    weight: 6,
  },
  {
    arbitrary: fc.record({ fact: fc.constant("confirm" as const), extent: fc.constantFrom("all", "all", "oldest") }),
    weight: 6,
  },
  { arbitrary: plain("drop"), weight: 2 },
  { arbitrary: plain("instruct"), weight: 1 },
  { arbitrary: plain("decline", "give_up"), weight: 1 },
  { arbitrary: plain("forget", "restore"), weight: 1 },
);

const FACTS: Readonly<Record<Kind, fc.Arbitrary<Fact>>> = {
  payment: paymentFact,
  payout: payoutFact,
  topup: topupFact,
};

/** Most deliveries carry one report; some bring two or three at the same moment. */
const items = (min: number) =>
  fc.oneof(
    { arbitrary: fc.array(fc.nat({ max: 6 }), { minLength: min, maxLength: 1 }), weight: 3 },
    { arbitrary: fc.array(fc.nat({ max: 6 }), { minLength: 2, maxLength: 3 }), weight: 1 },
  );

function stepOf(kind: Kind): fc.Arbitrary<Step> {
  const fact = FACTS[kind].map((one): Step => ({ do: "fact", fact: one }));
  const course = fc.oneof(
    { arbitrary: fc.constant("current" as const), weight: 3 },
    { arbitrary: fc.constantFrom(...QUERY_COURSES), weight: 1 },
  );
  const common = [
    { arbitrary: fact, weight: 5 },
    { arbitrary: fc.record({ do: fc.constant("deliver" as const), items: items(1) }), weight: 4 },
    { arbitrary: fc.record({ do: fc.constant("look" as const), course, items: items(0) }), weight: 2 },
    { arbitrary: fc.record({ do: fc.constant("wait" as const), wait: fc.constantFrom(...WAITS) }), weight: 2 },
    { arbitrary: fc.record({ do: fc.constant("misdeliver" as const), flaw: fc.constantFrom(...FLAWS) }), weight: 1 },
  ];
  const acts = fc.record({ do: fc.constantFrom("approve" as const, "approve" as const, "cancel" as const) });
  return fc.oneof(...common, ...(kind === "payout" ? [{ arbitrary: acts, weight: 2 }] : []));
}

const creations = fc.array(
  fc.oneof(
    { arbitrary: fc.constant("answered" as const), weight: 4 },
    { arbitrary: fc.constantFrom(...CREATION_COURSES), weight: 3 },
  ),
  { minLength: 1, maxLength: 3 },
);
const policy = fc.constantFrom(...POLICIES);

const newest = (...items: readonly number[]): Step => ({ do: "deliver", items });
const happens = (fact: Fact): Step => ({ do: "fact", fact });

/**
 * Two more payments of the payer, both confirmed, whose totals are reported at the same moment. In half of the histories,
 * the chain then drops one of them.
 */
const surge: fc.Arbitrary<Step[]> = fc
  .tuple(
    fc.constantFrom(10, 40, 60),
    fc.constantFrom(10, 40, 60),
    fc.constantFrom([0, 2], [2, 0], [0, 2, 2]),
    fc.boolean(),
  )
  .map(([one, two, items, isDropped]) => [
    ...[one, two].flatMap((percent): Step[] => [
      { do: "fact", fact: { fact: "send", percent, token: "asked" } },
      { do: "fact", fact: { fact: "confirm", extent: "all" } },
    ]),
    { do: "deliver", items },
    ...(isDropped ? [happens({ fact: "drop" }), newest(0)] : []),
  ]);
const anySum = fc.constantFrom(...SUMS);

/** One receipt with two amounts; the second is reported after the first or at the same moment. */
const correction: fc.Arbitrary<Step[]> = fc
  .tuple(fc.nat({ max: 2 }), anySum, anySum, fc.boolean())
  .map(([money, one, other, isApart]): Step[] => [
    happens({ fact: "pay", money, sum: one, isNamed: true }),
    ...(isApart ? [newest(0)] : []),
    happens({ fact: "correct", money, sum: other }),
    isApart ? newest(0) : newest(0, 1),
  ]);

/** Two settlements of one payout, one after the other, some of them after it was declined. */
const secondSettlement: fc.Arbitrary<Step[]> = fc
  .tuple(fc.boolean(), anySum, isNamed, anySum, fc.constantFrom("same" as const, "other" as const))
  .map(([isDeclined, one, named, other, reference]): Step[] => [
    ...(isDeclined ? [happens({ fact: "decline" }), newest(0)] : []),
    happens({ fact: "settle", sum: one, isNamed: named }),
    newest(0),
    happens({ fact: "settle_again", sum: other, reference }),
    newest(0),
  ]);

const EVENTFUL: Readonly<Record<Kind, fc.Arbitrary<Step[]>>> = {
  payment: correction,
  payout: secondSettlement,
  topup: surge,
};

/** Three of four payouts pass the gate immediately: what follows is what matters. */
function stepsOf(kind: Kind): fc.Arbitrary<Step[]> {
  const steps = fc.array(stepOf(kind), { minLength: 1, maxLength: 16 });
  const eventful = fc.tuple(steps, EVENTFUL[kind]).map(([first, second]) => [...first, ...second]);
  const any = fc.oneof({ arbitrary: steps, weight: 4 }, { arbitrary: eventful, weight: 1 });
  if (kind !== "payout") return any;
  return fc
    .tuple(fc.integer({ min: 0, max: 3 }), any)
    .map(([draw, rest]) => (draw === 0 ? rest : [{ do: "approve" as const }, ...rest]));
}

const formerUpdates: fc.Arbitrary<Step[]> = fc
  .array(formerFact, { minLength: 1, maxLength: 3 })
  .map((facts) => facts.flatMap((fact): Step[] => [happens(fact), newest(0)]));

/** The first provider refuses with certainty and reports on the intent later, when a second one has it. */
function leftHistories(histories: fc.Arbitrary<History>): fc.Arbitrary<History> {
  return fc.tuple(histories, formerUpdates, fc.boolean()).map(([history, news, isSoon]) => {
    const at = isSoon ? 1 : history.steps.length;
    const steps = [...history.steps.slice(0, at), ...news, ...history.steps.slice(at)];
    return { ...history, hasFallback: true, creations: ["not_accepted", ...history.creations], steps };
  });
}

/** Histories of one kind of intent. */
export function historiesOf(kind: Kind): fc.Arbitrary<History> {
  const histories = anyHistories(kind);
  if (kind === "topup") return histories;
  return fc.oneof({ arbitrary: histories, weight: 7 }, { arbitrary: leftHistories(histories), weight: 1 });
}

function anyHistories(kind: Kind): fc.Arbitrary<History> {
  return fc.record({
    kind: fc.constant(kind),
    protocol: fc.constantFrom(1 as const, 2 as const),
    creations,
    hasFallback: fc.integer({ min: 0, max: 3 }).map((draw) => draw === 0),
    cancels: fc.boolean(),
    losesRest: fc.boolean(),
    reusesId: fc.integer({ min: 0, max: 7 }).map((draw) => draw === 0),
    approvals: fc.integer({ min: 0, max: 7 }).map((draw) => (draw === 0 ? 2 : 1)),
    isRefused: fc.integer({ min: 0, max: 15 }).map((draw) => draw === 0),
    terms: fc.constantFrom(...TERMS),
    overpayment: policy,
    underpayment: policy,
    latePayment: policy,
    steps: stepsOf(kind),
  });
}
