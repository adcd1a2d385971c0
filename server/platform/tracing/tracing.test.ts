// Which trace each span belongs to, by an exporter that keeps what it gets.
import type { ReadableSpan, SpanExporter } from "@opentelemetry/sdk-trace-base";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { newId } from "../ids";
import { createTracer } from "./otlp";
import { firstSpanOf } from "./trace-ids";
import {
  isTraced,
  type SpanStart,
  setTracer,
  traceCreationOf,
  traced,
  traceRequest,
  withinIntentTrace,
} from "./tracing";

const exported: ReadableSpan[] = [];
const exporter: SpanExporter = {
  export(spans, done) {
    exported.push(...spans);
    done({ code: 0 });
  },
  shutdown: async () => undefined,
};

const named = (name: string, more: Partial<SpanStart> = {}): SpanStart => ({
  name,
  kind: "internal",
  attributes: {},
  ...more,
});
const span = (name: string, more: Partial<SpanStart> = {}, work = async () => {}) =>
  traced(() => named(name, more), work);
const request = (work: () => Promise<void>) => traceRequest(work, () => named("request"));
const commit = (id: string, isFirst = false) => withinIntentTrace(id, () => span(`commit ${id}`, { isFirst }));

interface Seen {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentId: string | undefined;
  /** Span ids. */
  readonly links: readonly string[];
}

/** Exports what is left, and returns the span of that name. */
async function seen(name: string): Promise<Seen> {
  await setTracer(null)?.stop();
  const found = exported.filter((one) => one.name === name);
  const [only] = found;
  if (!only || found.length > 1) throw new Error(`${found.length} spans are called ${name}`);
  const { traceId, spanId } = only.spanContext();
  return { traceId, spanId, parentId: only.parentSpanContext?.spanId, links: only.links.map((l) => l.context.spanId) };
}

function firstOf(id: string) {
  const first = firstSpanOf(id);
  if (!first) throw new Error(`${id} has no trace`);
  return first;
}

beforeEach(() => {
  exported.length = 0;
  setTracer(createTracer({ ratio: 1 }, "web", exporter));
});
afterEach(async () => {
  await setTracer(null)?.stop();
});

describe("the trace of an intent", () => {
  it("is named by the intent's id, whose end names its first span", () => {
    expect(firstSpanOf("dord_01h455vb4pex5vsknk084sn02q")).toEqual({
      traceId: "01890a5dac96774bbcceb302099a8057",
      spanId: "bcceb302099a8057",
    });
    expect(firstSpanOf("no id")).toBeNull();
  });

  it("begins with the request that creates the intent", async () => {
    const id = newId("paymentIntent");
    await request(async () => {
      traceCreationOf(id);
      await commit(id, true);
    });
    expect(await seen("request")).toEqual({ ...firstOf(id), parentId: undefined, links: [] });
    expect(await seen(`commit ${id}`)).toMatchObject({ traceId: firstOf(id).traceId, parentId: firstOf(id).spanId });
  });

  it("goes on in a request that changes the intent", async () => {
    const id = newId("paymentIntent");
    await request(() => commit(id));
    const asked = await seen("request");
    expect(asked).toMatchObject({ traceId: firstOf(id).traceId, parentId: firstOf(id).spanId });
    expect(asked.spanId).not.toBe(firstOf(id).spanId);
    expect(await seen(`commit ${id}`)).toMatchObject({ traceId: asked.traceId, parentId: asked.spanId });
  });

  it("goes on in work that knows nothing but the id", async () => {
    const id = newId("payoutIntent");
    await withinIntentTrace(id, () => span("work", {}, () => commit(id)));
    const work = await seen("work");
    expect(work).toMatchObject({ traceId: firstOf(id).traceId, parentId: firstOf(id).spanId });
    expect(await seen(`commit ${id}`)).toMatchObject({ traceId: work.traceId, parentId: work.spanId });
  });

  it("is another one for each intent of a request, linked with the request", async () => {
    const [first, second, third] = [newId("payoutIntent"), newId("payoutIntent"), newId("payoutIntent")];
    await request(async () => {
      for (const id of [first, second]) {
        traceCreationOf(id);
        await commit(id, true);
      }
      await commit(third);
    });
    const asked = await seen("request");
    expect(asked).toMatchObject(firstOf(first));
    const links = [asked.spanId];
    expect(await seen(`commit ${second}`)).toEqual({ ...firstOf(second), parentId: undefined, links });
    const { traceId, spanId } = firstOf(third);
    expect(await seen(`commit ${third}`)).toMatchObject({ traceId, parentId: spanId, links });
  });
});

describe("a span", () => {
  it("of a request that concerns no intent has a trace with that request", async () => {
    await request(() => span("inner"));
    const { traceId, spanId, parentId } = await seen("request");
    expect(parentId).toBeUndefined();
    expect(await seen("inner")).toMatchObject({ traceId, parentId: spanId });
  });

  it("does not mix with those of work at the same time", async () => {
    const ids = Array.from({ length: 50 }, () => newId("paymentIntent"));
    const create = (id: string) =>
      traceRequest(
        async () => {
          traceCreationOf(id);
          await new Promise((resolve) => setTimeout(resolve, Math.random() * 5));
          await commit(id, true);
        },
        () => named(`request ${id}`),
      );
    await Promise.all(ids.map(create));
    for (const id of ids) expect(await seen(`request ${id}`)).toMatchObject(firstOf(id));
    for (const id of ids) expect(await seen(`commit ${id}`)).toMatchObject({ parentId: firstOf(id).spanId });
  });

  it("names what was thrown, without its message, and throws it", async () => {
    const secret = new RangeError("the key is sk_live_1");
    const fail = () => Promise.reject(secret);
    await expect(traced(() => named("failing"), fail)).rejects.toBe(secret);
    await seen("failing");
    expect(JSON.stringify(exported.map(({ attributes, status, events }) => [attributes, status, events]))).toBe(
      JSON.stringify([[{ "error.type": "RangeError" }, { code: 2 }, []]]),
    );
  });

  it("is not exported if its request says so, or its trace is not sampled", async () => {
    await traceRequest(
      async () => {},
      () => null,
    );
    await setTracer(createTracer({ ratio: 0 }, "web", exporter))?.stop();
    await request(() => commit(newId("paymentIntent")));
    await setTracer(null)?.stop();
    expect(exported).toEqual([]);
  });

  it("is sampled with all others of its trace, in every process", async () => {
    await setTracer(createTracer({ ratio: 0.5 }, "web", exporter))?.stop();
    const worker = createTracer({ ratio: 0.5 }, "worker", exporter);
    const ids = Array.from({ length: 200 }, () => newId("paymentIntent"));
    for (const id of ids) {
      await request(async () => {
        traceCreationOf(id);
        await commit(id, true);
      });
      await worker.withinIntent(id, () =>
        worker.span(
          named("work"),
          async () => {},
          () => ({}),
        ),
      );
    }
    await setTracer(null)?.stop();
    await worker.stop();
    const counts = new Map<string, number>();
    for (const one of exported) counts.set(one.spanContext().traceId, (counts.get(one.spanContext().traceId) ?? 0) + 1);
    expect(new Set(counts.values())).toEqual(new Set([3]));
    expect(counts.size).toBeGreaterThan(50);
    expect(counts.size).toBeLessThan(150);
  });
});

describe("without a tracer", () => {
  beforeEach(async () => {
    await setTracer(null)?.stop();
  });

  it("work runs as it is, and nothing is built for a span", async () => {
    expect(isTraced()).toBe(false);
    const never = () => {
      throw new Error("nobody asks");
    };
    const work = async () => 5;
    expect(await traceRequest(work, never)).toBe(5);
    expect(await traced(never, work, never)).toBe(5);
    expect(withinIntentTrace("no id", () => 7)).toBe(7);
    traceCreationOf("no id");
    expect(exported).toEqual([]);
  });
});
