// Plants one fault in every statement: it no longer asks for the merchant.
import { Client } from "pg";

/** `merchant_id = $1`, also qualified or quoted by Prisma, and the batched form that reads the merchant from a list. */
const CONDITION = /(?:"?\w+"?\.)*"?merchant_id"? = (\$\d+|sought\.merchant_id)(?!\w)/g;

interface Sent {
  text?: string;
  name?: string;
  submit?: unknown;
}

/** From now on, statements of this process lack their merchant conditions. Returns how many conditions were left out so far. */
export function leaveOutMerchantConditions(): () => number {
  let leftOut = 0;
  const send = Client.prototype.query as (this: Client, sent: Sent, ...rest: unknown[]) => unknown;
  const change = function (this: Client, sent: Sent, ...rest: unknown[]) {
    if (typeof sent.submit === "function" && sent.text) {
      const text = sent.text.replace(CONDITION, (_, value: string) => {
        leftOut += 1;
        // The parameter stays in use, so that its type is known.
        return `${value}::text IS NOT NULL`;
      });
      if (text !== sent.text) Object.assign(sent, { text, ...(sent.name && { name: `${sent.name}x` }) });
    }
    return send.call(this, sent, ...rest);
  };
  Client.prototype.query = change as typeof Client.prototype.query;
  return () => leftOut;
}
