// Owns the commands about one-time codes: what a merchant asks them for, and taking them away from who has lost theirs.
import { requireMemberByAddress } from "@/server/services/members/by-address";
import { operatorContext } from "@/server/services/merchants/operator";
import { setStepUp } from "@/server/services/sign-in/step-up";
import { resetTotp } from "@/server/services/sign-in/totp";
import { type Command, defineCommand, required } from "../command";
import { splitList } from "../lists";

const merchantsSetTotp = defineCommand({
  name: "merchants set-totp",
  summary: "Say what members give a one-time code for, in the dashboard",
  options: { merchant: required("ID", "the merchant"), "required-for": required("LIST", "approve,key_roll, or none") },
  run: async ({ merchant, "required-for": list }) => ({
    id: merchant,
    totp_required_for: await setStepUp(operatorContext(merchant, "test"), list === "none" ? [] : splitList(list)),
  }),
});

const membersResetTotp = defineCommand({
  name: "members reset-totp",
  summary: "Take one-time codes away from a member who has lost theirs; they can set them up anew",
  options: { merchant: required("ID", "the merchant"), email: required("ADDRESS", "the member") },
  run: async ({ merchant, email }) => {
    const { id } = await requireMemberByAddress(merchant, email);
    return { id, was_set_up: await resetTotp(operatorContext(merchant, "test"), id) };
  },
});

export const totpCommands: readonly Command[] = [merchantsSetTotp, membersResetTotp];
