// Owns the command that creates a member, a person of a merchant.
import { createMember } from "@/server/services/merchants/members";
import { defineCommand, required } from "../command";
import { splitList } from "../lists";

export const membersCreate = defineCommand({
  name: "members create",
  summary: "Create a person who signs in to the dashboard",
  options: {
    merchant: required("ID", "the merchant"),
    email: required("ADDRESS", "unique within the merchant"),
    password: required("TEXT", "at least 12 characters"),
    roles: required("LIST", "some of owner,admin,approver,finance,developer"),
  },
  run: async ({ merchant, email, password, roles }) => {
    const wanted = [...new Set(splitList(roles))];
    const id = await createMember({ merchantId: merchant, email, password, roles: wanted });
    return { id, merchant_id: merchant, email: email.trim().toLowerCase(), roles: wanted };
  },
});
