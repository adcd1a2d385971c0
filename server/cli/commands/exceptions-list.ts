// Owns the command that lists what a person must look at.
import { listExceptions } from "@/server/services/exceptions/list";
import { defineCommand, flag, optional } from "../command";
import { presentException } from "../present-exception";

export const exceptionsList = defineCommand({
  name: "exceptions list",
  summary: "List what a person must look at, the oldest first",
  options: {
    merchant: optional("ID", "the merchant; everyone's and nobody's where left out"),
    open: flag("only what is not resolved"),
  },
  run: async ({ merchant, open }) => {
    const { exceptions, hasMore } = await listExceptions({ merchantId: merchant, openOnly: open });
    return { data: exceptions.map(presentException), has_more: hasMore };
  },
});
