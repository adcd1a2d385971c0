// The payer page's own routes: its state, its QR images and its form.

import { languageQuery } from "@/server/contract/languages";
import { type PayerState, payerOutcome } from "@/server/contract/payer";
import { notFoundError, ServiceError } from "@/server/domain/errors";
import { decideAsPayer } from "@/server/services/payer/decide";
import { getPayerLogo, getPayerView } from "@/server/services/payer/get-payer-view";
import { readBytes } from "../body";
import { toResponse } from "../exchange";
import { PRIVATE, publicAnswer } from "../public-answer";
import { jsonAnswer } from "../response";
import { payerPage } from "./page";
import { qrPng, qrSvg } from "./qr";
import { chosenLanguage } from "./reader";
import { isSameOrigin } from "./same-origin";

/** Returns the payment's state, by which the page detects changes. */
export function payerStateAnswer(request: Request, id: string): Promise<Response> {
  return publicAnswer(request.headers, async (requestId) => stateAnswer(id, requestId));
}

async function stateAnswer(id: string, requestId: string): Promise<Response> {
  const page = await payerPage(id);
  if (!page) throw notFoundError();
  const state: PayerState = { revision: page.revision, isEnded: page.isEnded };
  return toResponse(jsonAnswer(200, JSON.stringify(state), requestId, PRIVATE));
}

/** Returns the image of a payment whose QR code is to be scanned; 404 for every other payment. */
export function payerQrAnswer(request: Request, id: string, format: "svg" | "png"): Promise<Response> {
  return publicAnswer(request.headers, async (requestId) => {
    const { nextAction } = await getPayerView(id);
    if (nextAction?.type !== "display_qr_code") throw notFoundError();
    const { body, type } =
      format === "svg"
        ? { body: qrSvg(nextAction.data), type: "image/svg+xml" }
        : { body: qrPng(nextAction.data), type: "image/png" };
    const headers = { ...PRIVATE, "content-type": type, "request-id": requestId, "x-content-type-options": "nosniff" };
    return new Response(body, { headers });
  });
}

/** Returns the logo of a payment's merchant; 404 without one. Its address names the version, so browsers keep it. */
export function payerLogoAnswer(request: Request, id: string): Promise<Response> {
  return publicAnswer(request.headers, async (requestId) => {
    const logo = await getPayerLogo(id);
    const headers = {
      ...PRIVATE,
      "cache-control": "private, max-age=86400, immutable",
      "content-type": "image/png",
      "request-id": requestId,
      "x-content-type-options": "nosniff",
    };
    return new Response(new Uint8Array(logo), { headers });
  });
}

/**
 * Accepts the page's form (`outcome=…`) from our own page only. A script receives the new state, a plain form a
 * redirect to the page. Live payments answer 404.
 */
export function payerDecisionAnswer(request: Request, id: string): Promise<Response> {
  return publicAnswer(request.headers, async (requestId, address) => {
    if (!isSameOrigin(request.headers)) return new Response("This form belongs to another page.\n", { status: 403 });
    const form = new URLSearchParams(Buffer.from(await readBytes(request)).toString("utf8"));
    const outcome = payerOutcome.safeParse(form.get("outcome"));
    if (!outcome.success) throw new ServiceError("validation_failed", "outcome must be one of the page's buttons");
    const wantsJson = request.headers.get("accept") === "application/json";
    try {
      await decideAsPayer(id, outcome.data, { requestId, address });
    } catch (error) {
      // The payment has ended meanwhile: redirect to the page, which shows the result.
      if (!(error instanceof ServiceError) || error.code !== "validation_failed") throw error;
    }
    if (wantsJson) return stateAnswer(id, requestId);
    return new Response(null, {
      status: 303,
      headers: {
        ...PRIVATE,
        location: `/pay/${id}${languageQuery(chosenLanguage(new URL(request.url)))}`,
        "request-id": requestId,
      },
    });
  });
}
