// Owns the command that decides what becomes of money in suspense.
import { SETTLEMENTS, type Settlement } from "@/server/domain/suspense";
import { settleExceptionAs } from "@/server/services/exceptions/as-member";
import { defineCommand, oneOf, optional, required } from "../command";
import { presentException } from "../present-exception";

const DONE: Readonly<Record<Settlement, string>> = {
  credit: "Credited to the wallet.",
  refund: "Sent back to the payer.",
  recover: "Taken back from the wallet.",
  absorb: "Borne by the operator.",
  restore: "The money came after all.",
};

export const exceptionsSettle = defineCommand({
  name: "exceptions settle",
  summary: "Decide what becomes of an exception's money in suspense, and resolve it for good, with audit entries",
  options: {
    id: required("ID", "the exception"),
    as: required("ADDRESS", "the member who answers for it"),
    money: oneOf(SETTLEMENTS, "credit, refund: what is there; recover, absorb, restore: what is missing"),
    resolution: optional("TEXT", "what was found and done, at most 512 characters"),
  },
  run: async ({ id, as, money, resolution }) =>
    presentException(await settleExceptionAs({ exceptionId: id, email: as }, money, resolution ?? DONE[money])),
});
