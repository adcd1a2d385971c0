// Lists, waiting, and that every operation of the OpenAPI document has a method.
import { readFileSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { OutcomePendingError } from "./errors.js";
import { startService } from "./testing/service.js";

const page = (ids: readonly string[], next_cursor: string | null) => ({
  body: { data: ids.map((id) => ({ id, amount: "1" })), has_more: next_cursor !== null, next_cursor },
});

describe("a list", () => {
  it("goes through all pages and sends the filters with each", async () => {
    const { sluice, received } = startService(page(["a", "b"], "second"), page(["c"], null));
    const ids: string[] = [];
    for await (const { id } of sluice.payoutIntents.list({ status: ["failed", "cancelled"], limit: 2 })) ids.push(id);
    expect(ids).toEqual(["a", "b", "c"]);
    expect(received.map(({ path }) => path)).toEqual([
      "/v1/payout_intents?status=failed&status=cancelled&limit=2",
      "/v1/payout_intents?status=failed&status=cancelled&limit=2&cursor=second",
    ]);
  });

  it("loads no page that is not read, and continues from a cursor", async () => {
    const { sluice, received } = startService(page(["c"], "third"));
    for await (const { next_cursor } of sluice.topupIntents.list({ cursor: "second" }).pages()) {
      expect(next_cursor).toBe("third");
      break;
    }
    expect(received.map(({ path }) => path)).toEqual(["/v1/topup_intents?cursor=second"]);
  });
});

describe("waiting", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());
  const intent = (status: string) => ({ body: { id: "word_1", status } });

  it("polls after 500 ms, 1, 2, 4 and 5 s, until the status is final", async () => {
    const { sluice, received } = startService(
      ...Array.from({ length: 6 }, () => intent("processing")),
      intent("failed"),
    );
    const waited = sluice.payoutIntents.wait("word_1");
    const counts: number[] = [];
    for (const ms of [0, 500, 1_000, 2_000, 4_000, 5_000, 5_000]) {
      await vi.advanceTimersByTimeAsync(ms);
      counts.push(received.length);
    }
    expect(counts).toEqual([1, 2, 3, 4, 5, 6, 7]);
    expect(await waited).toMatchObject({ status: "failed" });
  });

  it("gives up after a minute with the intent", async () => {
    const { sluice } = startService(intent("requires_approval"));
    const error = sluice.payoutIntents.wait("word_1").catch((reason: unknown) => reason);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(await error).toBeInstanceOf(OutcomePendingError);
    expect(await error).toMatchObject({ intent: { status: "requires_approval" } });
  });

  it("can wait for something else", async () => {
    const { sluice } = startService(intent("processing"), intent("requires_action"));
    const waited = sluice.paymentIntents.wait("word_1", { until: ({ status }) => status === "requires_action" });
    await vi.advanceTimersByTimeAsync(500);
    expect(await waited).toMatchObject({ status: "requires_action" });
  });
});

it("every operation of the OpenAPI document has a method", async () => {
  const { sluice, received } = startService({
    body: { data: [], has_more: false, next_cursor: null, status: "failed" },
  });
  for (const resource of Object.values(sluice) as Record<string, (...words: unknown[]) => unknown>[])
    for (const [name, method] of Object.entries(resource)) {
      const made = method(...(/^(create|list|types|simulate|clock|advanceClock)$/.test(name) ? [{}] : ["ID", {}]));
      if (made !== null && typeof made === "object" && "firstPage" in made) await (made.firstPage as () => unknown)();
      else await made;
    }
  const { paths } = JSON.parse(readFileSync(new URL("../../docs/openapi.json", import.meta.url), "utf8")) as {
    paths: Record<string, object>;
  };
  const documented = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} /v1${path.replace("{id}", "ID")}`),
  );
  expect([...new Set(received.map(({ method, path }) => `${method} ${path}`))].sort()).toEqual(documented.sort());
});
