// Procedures over HTTP, with the session that the cookie names.
import { afterAll, beforeAll, expect, it } from "vitest";
import { sealToken, sessionSecret } from "@/server/auth/session-token";
import { disconnect } from "@/server/db/client";
import { failStatement } from "@/server/db/testing/failing-statements";
import { declareFront } from "@/server/http/client-address";
import { enterAs } from "@/server/services/sign-in/testing/sessions";
import { makeMerchant } from "@/server/testing/merchant";
import { handleTrpcRequest } from "./handler";

let cookie: string;
beforeAll(async () => {
  declareFront();
  const { merchantId, byMember } = await makeMerchant();
  const { id } = byMember().actor;
  const sid = await enterAs({ id, merchantId }, "192.0.2.1");
  cookie = `sluice.session=${await sealToken({ token: { sub: id, merchantId, sid }, secret: sessionSecret() })}`;
});
afterAll(disconnect);

it("is unavailable if any one of its statements fails, also the one that reads the session", async () => {
  const input = encodeURIComponent(JSON.stringify({ environment: "test" }));
  const statuses: number[] = [];
  for (let n = 0, isOver = false; !isOver; n += 1) {
    const request = new Request(`http://localhost/api/trpc/paymentIntents.list?input=${input}`, {
      headers: { cookie, "x-forwarded-for": "192.0.2.1" },
    });
    const failing = failStatement(n);
    statuses.push((await handleTrpcRequest(request)).status);
    failing.restore();
    isOver = !failing.wasSent();
  }
  expect([statuses[0], statuses.at(-1), [...new Set(statuses)].sort()]).toEqual([503, 200, [200, 503]]);
});
