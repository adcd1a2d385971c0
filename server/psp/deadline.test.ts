// A deadline answers in time, aborts the call and leaves no timer or listener.
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { withDeadline } from "./deadline";

const rejections: unknown[] = [];
const remember = (reason: unknown) => rejections.push(reason);
beforeEach(() => process.on("unhandledRejection", remember));
afterEach(() => {
  process.off("unhandledRejection", remember);
  rejections.length = 0;
});

describe("withDeadline", () => {
  it("returns the call's answer when it arrives in time, and leaves no timer", async () => {
    vi.useFakeTimers();
    const answer = await withDeadline(
      1000,
      () => Promise.resolve("in time"),
      () => "late",
    );
    expect(answer).toBe("in time");
    expect(vi.getTimerCount()).toBe(0);
    vi.useRealTimers();
  });

  it("answers for a call that never answers, and aborts it", async () => {
    let signal: AbortSignal | undefined;
    const never = (given: AbortSignal) => {
      signal = given;
      return new Promise<string>(() => undefined);
    };
    expect(await withDeadline(5, never, () => "late")).toBe("late");
    expect(signal?.aborted).toBe(true);
  });

  it("does not abort an answered call", async () => {
    let signal: AbortSignal | undefined;
    const quick = async (given: AbortSignal) => {
      signal = given;
      return 1;
    };
    vi.useFakeTimers();
    await withDeadline(5, quick, () => 0);
    await vi.advanceTimersByTimeAsync(15);
    vi.useRealTimers();
    expect(signal?.aborted).toBe(false);
  });

  it("forwards a failure in time, thrown or rejected", async () => {
    await expect(
      withDeadline(
        50,
        () => Promise.reject(new Error("broke")),
        () => 0,
      ),
    ).rejects.toThrow("broke");
    const throws = () => {
      throw new Error("at once");
    };
    await expect(withDeadline(50, throws, () => 0)).rejects.toThrow("at once");
  });

  it("swallows a failure after the deadline", async () => {
    const late = (signal: AbortSignal) =>
      new Promise<string>((_, reject) => signal.addEventListener("abort", () => reject(new Error("aborted"))));
    expect(await withDeadline(5, late, () => "late")).toBe("late");
    await sleep(10);
    expect(rejections).toEqual([]);
  });

  it("rejects when onTimeout throws", async () => {
    const fails = () => {
      throw new Error("no answer");
    };
    await expect(withDeadline(5, () => new Promise<string>(() => undefined), fails)).rejects.toThrow("no answer");
  });
});
