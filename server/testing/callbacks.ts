// Callbacks of the scripted provider, signed and received like those of a real one.
import { newId } from "@/server/platform/ids";
import { createCallbackReceiver } from "@/server/psp/http/callbacks";
import { httpConfig } from "@/server/psp/http/config";
import { signedHeaders } from "@/server/psp/http/signature";
import { receiveCallback } from "@/server/services/callbacks/receive-callback";

const NAME = "scripted";
const SECRET = "a secret of at least thirty-two characters";

/** Lets the scripted provider, which must be installed, send callbacks in that version of the protocol. */
export function acceptCallbacks(protocol: 1 | 2 = 1): void {
  const source = { name: NAME, url: "http://127.0.0.1:9", secret: SECRET, protocol };
  const receiver = createCallbackReceiver(httpConfig.parse(source));
  const shared = globalThis as { sluiceProviders?: readonly object[] };
  shared.sluiceProviders = (shared.sluiceProviders ?? []).map((provider) => ({ ...provider, receiver }));
}

/** A callback's content; missing ids are generated. */
export interface CallbackBody {
  readonly status: string;
  readonly [member: string]: unknown;
}

/** Sends one callback about an intent. */
export function sendCallback(
  intent: { merchantId: string; id: string; dispatchReference?: string },
  news: CallbackBody,
): Promise<void> {
  const core = {
    callback_id: newId("event"),
    merchant_id: intent.merchantId,
    reference: intent.dispatchReference ?? intent.id,
  };
  const body = JSON.stringify({ ...core, provider_reference: "psp-1", ...news });
  const message = { method: "POST", path: `/providers/${NAME}/callbacks`, body };
  return receiveCallback(NAME, new Headers(signedHeaders(SECRET, message, new Date())), body);
}
