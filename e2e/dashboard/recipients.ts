// Saved recipients for specs, and the calls of a signed-in page.
import type { APIRequestContext, APIResponse, Page } from "@playwright/test";

export interface SavedRecipient {
  readonly id: string;
}

/** Calls a mutation of the dashboard with the page's session, as a page does. */
export function callProcedure({ request }: Pick<Page, "request">, path: string, input: object): Promise<APIResponse> {
  return request.post(`/api/trpc/${path}`, {
    data: { environment: "test", ...input },
    headers: { "sec-fetch-site": "same-origin" },
  });
}

/** Saves a recipient as the page's member. */
export async function saveRecipient(
  page: Pick<Page, "request">,
  holderName: string,
  changes: object = {},
): Promise<SavedRecipient> {
  const answer = await callProcedure(page, "payoutRecipients.save", {
    holder_name: holderName,
    account_number: String(Math.floor(Math.random() * 1e12) + 1e12),
    bank_code: "001",
    country: "BR",
    currency: "BRL",
    ...changes,
  });
  if (!answer.ok()) throw new Error(`the recipient was answered with ${answer.status()}: ${await answer.text()}`);
  return ((await answer.json()) as { result: { data: SavedRecipient } }).result.data;
}

/** Saves a recipient, and pays it by a file of one line; returns the batch. */
export async function createBatch(request: APIRequestContext): Promise<string> {
  const account_number = "0001-123456789";
  await saveRecipient({ request }, "Padaria Estrela Ltda", { account_number });
  const text = `account_number,bank_code,currency,amount,reference\n${account_number},001,BRL,25.04,INV-1`;
  const preview = await callProcedure({ request }, "payoutBatches.preview", { text });
  const { digest } = ((await preview.json()) as { result: { data: { digest: string } } }).result.data;
  const created = await callProcedure({ request }, "payoutBatches.create", { text, name: "payouts.csv", digest });
  return ((await created.json()) as { result: { data: { id: string } } }).result.data.id;
}
