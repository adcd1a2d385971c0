// Owns the proof of what callers are told when the database cannot take more.
import { expect, it } from "vitest";
import { Overloaded } from "@/server/platform/batcher";
import { asServiceError } from "./outage";

it("a commit that finds too many waiting is answered as unavailable for now, with when to come back", () => {
  expect(asServiceError(new Overloaded("4096 wait already"))).toMatchObject({
    code: "service_unavailable",
    retryAfterSeconds: 1,
  });
});

it("a client-side time-out of a statement is an outage; any other error is a fault of ours", () => {
  expect(asServiceError(new Error("Query read timeout"))).toMatchObject({ code: "service_unavailable" });
  expect(asServiceError(new Error("Cannot read properties of undefined"))).toBeNull();
});
