// The requests of the page behind a one-time link. The token is in the body only: addresses end up in logs.
import type { z } from "zod";
import { choosePasswordBody, type LinkView, oneTimeLinkBody } from "@/server/contract/members";
import { DASHBOARD_LANGUAGES, IS_DASHBOARD_TRANSLATED } from "@/server/domain/dashboard-languages";
import { ServiceError } from "@/server/domain/errors";
import { translate } from "@/server/domain/texts/translate";
import { choosePassword, showLink } from "@/server/services/members/one-time-links";
import { bestLanguage } from "./accept-language";
import { readBytes } from "./body";
import { toResponse } from "./exchange";
import { isSameOrigin } from "./payer/same-origin";
import { PRIVATE, publicAnswer } from "./public-answer";
import { jsonAnswer } from "./response";
import { parseStrictJson } from "./strict-json";
import { validate } from "./validate";

/** Answers whom the link belongs to; 404 for every link that cannot be used now. Does not use the link up. */
export function lookUpLinkAnswer(request: Request): Promise<Response> {
  return answerForm(request, oneTimeLinkBody, async ({ token }): Promise<LinkView> => {
    const { email, merchantName, purpose } = await showLink(token);
    return { email, merchant_name: merchantName, purpose };
  });
}

/** Sets the password of the link's member and uses the link up; 404 for every link that cannot be used now. */
export function choosePasswordAnswer(request: Request): Promise<Response> {
  return answerForm(request, choosePasswordBody, async ({ token, password }, call) => {
    try {
      await choosePassword(token, password, call);
    } catch (error) {
      throw inWordsOf(request.headers, error);
    }
    return {};
  });
}

/** The rejection in the words of who reads our page, which shows why a password is not good enough. */
function inWordsOf(headers: Headers, error: unknown): unknown {
  if (!(error instanceof ServiceError) || !IS_DASHBOARD_TRANSLATED) return error;
  const language = bestLanguage(headers.get("accept-language"), DASHBOARD_LANGUAGES);
  return new ServiceError(error.code, translate(language, error.message), error.retryAfterSeconds);
}

/** Accepts JSON from our own page only. */
function answerForm<Schema extends z.ZodType>(
  request: Request,
  schema: Schema,
  run: (form: z.output<Schema>, call: { requestId: string; address: string }) => Promise<object>,
): Promise<Response> {
  return publicAnswer(request.headers, async (requestId, address) => {
    if (!isSameOrigin(request.headers)) return new Response("This form belongs to another page.\n", { status: 403 });
    const form = validate(schema, parseStrictJson(await readBytes(request)), "body");
    const answer = await run(form, { requestId, address });
    return toResponse(jsonAnswer(200, JSON.stringify(answer), requestId, PRIVATE));
  });
}
