import { describe, expect, it } from "vitest";
import { tracingSetting } from "./setting";

const KEY = "not-to-be-shown";

function read(source: Readonly<Record<string, string>>, allowInsecure = false) {
  return tracingSetting((name) => source[name] ?? null, allowInsecure);
}

const LOCAL = { OTEL_EXPORTER_OTLP_ENDPOINT: "http://localhost:4318" };

describe("tracingSetting", () => {
  it.each([
    ["nothing", {}],
    ["only a name", { OTEL_SERVICE_NAME: "pay" }],
    ["the SDK disabled", { ...LOCAL, OTEL_SDK_DISABLED: "true" }],
    ["no exporter of traces", { ...LOCAL, OTEL_TRACES_EXPORTER: "none" }],
  ])("exports nothing with %s", (_title, source) => {
    expect(read(source)).toEqual({ setting: null, faults: [] });
  });

  it.each([
    ["an address", LOCAL],
    ["an address of traces", { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: "https://otlp.example.com/v1/traces" }],
    ["the default address", { OTEL_TRACES_EXPORTER: "otlp" }],
    ["a collector in the same network", { OTEL_EXPORTER_OTLP_ENDPOINT: "http://collector:4318" }],
  ])("exports every trace with %s", (_title, source) => {
    expect(read(source)).toEqual({ setting: { ratio: 1 }, faults: [] });
  });

  it.each([
    ["always_on", undefined, 1],
    ["parentbased_always_on", undefined, 1],
    ["always_off", undefined, 0],
    ["parentbased_always_off", undefined, 0],
    ["traceidratio", "0.25", 0.25],
    ["parentbased_traceidratio", ".5", 0.5],
    ["traceidratio", undefined, 1],
  ])("exports the share of %s with %s", (sampler, arg, ratio) => {
    const source = { ...LOCAL, OTEL_TRACES_SAMPLER: sampler, ...(arg && { OTEL_TRACES_SAMPLER_ARG: arg }) };
    expect(read(source)).toEqual({ setting: { ratio }, faults: [] });
  });

  it.each([
    ["OTEL_TRACES_EXPORTER", { OTEL_TRACES_EXPORTER: "zipkin" }],
    ["OTEL_EXPORTER_OTLP_PROTOCOL", { ...LOCAL, OTEL_EXPORTER_OTLP_PROTOCOL: "grpc" }],
    ["OTEL_EXPORTER_OTLP_TRACES_PROTOCOL", { ...LOCAL, OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: "http/json" }],
    ["OTEL_EXPORTER_OTLP_ENDPOINT", { OTEL_EXPORTER_OTLP_ENDPOINT: `collector-${KEY}:4318` }],
    ["OTEL_TRACES_SAMPLER", { ...LOCAL, OTEL_TRACES_SAMPLER: "jaeger_remote" }],
    ["OTEL_TRACES_SAMPLER_ARG", { ...LOCAL, OTEL_TRACES_SAMPLER: "traceidratio", OTEL_TRACES_SAMPLER_ARG: "1.5" }],
    ["OTEL_TRACES_SAMPLER_ARG", { ...LOCAL, OTEL_TRACES_SAMPLER: "traceidratio", OTEL_TRACES_SAMPLER_ARG: "10%" }],
  ])("rejects another %s", (name, source) => {
    const { faults } = read(source);
    expect(faults).toEqual([expect.stringContaining(`${name} must be `)]);
    expect(faults.join()).not.toContain(KEY);
  });

  it("sends headers, which may carry a key, in plain text on this machine only", () => {
    const headers = { OTEL_EXPORTER_OTLP_HEADERS: `authorization=${KEY}` };
    const remote = { ...headers, OTEL_EXPORTER_OTLP_ENDPOINT: "http://collector:4318" };
    expect(read(remote).faults).toEqual([expect.stringContaining("OTEL_EXPORTER_OTLP_ENDPOINT must be https")]);
    expect(read(remote).faults.join()).not.toContain(KEY);
    expect(read(remote, true).faults).toEqual([]);
    expect(read({ ...headers, ...LOCAL }).faults).toEqual([]);
  });
});
