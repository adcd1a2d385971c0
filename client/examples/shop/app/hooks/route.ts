// Receives webhooks. An answer other than 2xx makes Sluice send the message again, for days.
import { verifyWebhook, WebhookVerificationError } from "@sluice/client";
import { paymentChanged } from "../../shop/checkout";
import { webhookSecret } from "../../shop/sluice";

export async function POST(request: Request): Promise<Response> {
  // The signature is of the raw body.
  const body = await request.text();
  try {
    const event = verifyWebhook(webhookSecret(), request.headers, body);
    if ("payment_intent_id" in event.data) await paymentChanged(event.data.payment_intent_id);
    return new Response(null, { status: 204 });
  } catch (error) {
    if (error instanceof WebhookVerificationError) return new Response(null, { status: 400 });
    throw error;
  }
}
