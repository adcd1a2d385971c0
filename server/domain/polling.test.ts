import fc from "fast-check";
import { expect, it } from "vitest";
import { type Awaited, awaitingPayer, nextPollAt, type Reporting } from "./polling";
import { after } from "./testing/samples";

const since = after(0);
const seconds = (from: number, at: Date) => (at.getTime() - after(from * 1000).getTime()) / 1000;
const AWAITED = ["acceptance", "decision", "payer"] as const;
const REPORTING = ["polls", "callbacks", "here"] as const;

it.each([
  ["acceptance", "polls", 0, 0.5],
  ["acceptance", "callbacks", 5, 0.625],
  ["acceptance", "here", 80, 10],
  ["acceptance", "callbacks", 7_200, 600],
  ["decision", "polls", 0, 0.5],
  ["decision", "callbacks", 0, 15],
  ["decision", "callbacks", 7_200, 600],
  ["payer", "polls", 0, 15],
  ["payer", "polls", 40, 40],
  ["payer", "polls", 7_200, 600],
  ["payer", "callbacks", 0, 300],
  ["payer", "callbacks", 300, 1_500],
  ["payer", "callbacks", 1_800, 9_000],
  ["payer", "callbacks", 10_800, 21_600],
  ["payer", "here", 60, 21_600],
] as const)(
  "an intent that awaits %s, with news by %s, is polled after %d s in %d s",
  (awaited, reporting, passed, wait) => {
    const at = nextPollAt(after(passed * 1000), { awaited, since, reporting, deadline: null });
    expect(seconds(passed, at)).toBe(wait);
  },
);

/** The times, in s, at which an intent that nothing happens to is polled until its payer's time is over. */
function polls(windowSeconds: number, reporting: Reporting): number[] {
  const [end, times] = [after(windowSeconds * 1000), [] as number[]];
  for (let now = since; now < end; times.push(seconds(0, now)))
    now = nextPollAt(now, awaitingPayer(now, since, end, end, reporting));
  return times;
}

it("a payment of a provider that sends callbacks is polled at most twice in half an hour", () => {
  expect(polls(1_800, "callbacks")).toEqual([300, 1_800]);
  expect(polls(60, "callbacks")).toEqual([60]);
});

it("a lost callback is found within six hours", () => {
  const times = polls(72 * 3_600, "callbacks");
  expect(times.slice(0, 5)).toEqual([300, 1_800, 10_800, 32_400, 54_000]);
  expect(Math.max(...times.map((time, n) => time - (times[n - 1] ?? 0)))).toBe(21_600);
});

it("one of the sandbox is polled at its deadline only", () => {
  expect(polls(1_800, "here")).toEqual([1_800]);
});

it("the provider's own end of the payer's time is polled once, and then as if no callbacks came", () => {
  const [until, deadline] = [after(60_000), after(1_800_000)];
  const at = (ms: number) => nextPollAt(after(ms), awaitingPayer(after(ms), since, until, deadline, "callbacks"));
  expect(at(0)).toEqual(after(62_000));
  expect(at(62_000)).toEqual(after(77_000));
  expect(at(77_000)).toEqual(after(92_000));
});

it("an end that the provider names after the deadline, or that was over at once, hides nothing", () => {
  const deadline = after(100_000);
  const at = (now: number, until: number) =>
    nextPollAt(after(now), awaitingPayer(after(now), since, after(until), deadline, "callbacks"));
  expect(at(0, 200_000)).toEqual(deadline);
  expect(at(0, -3_600_000)).toEqual(after(15_000));
});

it("is always ahead, and never after a deadline that is ahead, even when the clock has jumped back", () => {
  const ms = fc.integer({ min: -10_000_000, max: 10_000_000 });
  const standing = fc.record({
    awaited: fc.constantFrom<Awaited>(...AWAITED),
    reporting: fc.constantFrom<Reporting>(...REPORTING),
  });
  const property = fc.property(ms, ms, ms, standing, (now, still, deadline, how) => {
    const at = nextPollAt(after(now), { ...how, since: after(still), deadline: after(deadline) });
    expect(at.getTime()).toBeGreaterThan(after(now).getTime());
    expect(deadline > now && at.getTime() > after(deadline).getTime()).toBe(false);
  });
  fc.assert(property);
});
