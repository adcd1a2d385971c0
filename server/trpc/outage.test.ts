// A call during an outage of the database is answered 503, wherever in the call the database fails.
import { expect, it, vi } from "vitest";
import { handleTrpcRequest } from "./handler";

vi.mock("@/server/auth/request-session", () => ({
  sessionOfRequest: () => Promise.reject(new Error("Connection terminated unexpectedly")),
}));

it("a call whose session cannot be read is answered 503", async () => {
  const answer = await handleTrpcRequest(new Request("http://localhost:3000/api/trpc/session.me"));
  expect(answer.status).toBe(503);
  expect(await answer.text()).toContain("The service is temporarily unavailable; retry shortly.");
});
