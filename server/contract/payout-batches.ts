// What the dashboard sends about payouts from a file.
import { z } from "zod";
import { LONGEST_FILE } from "@/server/domain/payout-batch";
import { object, text } from "./fields";

export const previewBatchBody = object({
  text: z
    .string({ error: "must be a string" })
    .max(LONGEST_FILE, { error: `must have at most ${LONGEST_FILE} characters; split the file` }),
});

export const createBatchBody = previewBatchBody.extend({
  name: text(1, 255),
  /** Of the preview that the member confirms. */
  digest: z.string().max(64),
});
