// What users of the package can import.
export { type ClientErrorCode, OutcomePendingError, SluiceError, WebhookVerificationError } from "./errors.js";
export { toJson } from "./money.js";
export type { List, Page } from "./pages.js";
export type { PaymentIntent, PayoutIntent, TopupIntent } from "./resources/intents.js";
export { Sluice } from "./sluice.js";
export type { ReadOptions, SluiceOptions, WriteOptions } from "./transport.js";
export type { WaitOptions } from "./waiting.js";
export { type MessageHeaders, verifyWebhook, type WebhookEvent } from "./webhooks.js";
