// Errors for callers when the database is unavailable or overloaded.
import { expect, it } from "vitest";
import { Overloaded } from "@/server/platform/batcher";
import { asServiceError } from "./outage";

it("a commit with too many others waiting fails as unavailable, with a Retry-After", () => {
  expect(asServiceError(new Overloaded("4096 wait already"))).toMatchObject({
    code: "service_unavailable",
    retryAfterSeconds: 1,
  });
});

it("a database that became read-only in a failover is an outage", () => {
  const refused = Object.assign(new Error("cannot execute INSERT in a read-only transaction"), { code: "25006" });
  expect(asServiceError(refused)).toMatchObject({ code: "service_unavailable" });
});

it("a client-side timeout of a statement is an outage; any other error is a fault of ours", () => {
  expect(asServiceError(new Error("Query read timeout"))).toMatchObject({ code: "service_unavailable" });
  expect(asServiceError(new Error("Cannot read properties of undefined"))).toBeNull();
});
