import { CHECKOUT_MODES } from "@/server/domain/payment-intent";
import { ENVIRONMENTS } from "@/server/domain/scope";
import { type CreatedKey, newKeyPair } from "@/server/services/api-keys/new-key";
import { setAccountChecks } from "@/server/services/merchants/account-checks";
import { setAuthorityCoolDown } from "@/server/services/merchants/authority-cool-down";
import { setCheckoutMode } from "@/server/services/merchants/checkout-mode";
import { createMerchant } from "@/server/services/merchants/create";
import { setRecipientCoolOff } from "@/server/services/merchants/recipient-cool-off";
import { renameMerchant } from "@/server/services/merchants/rename";
import { requireCodesToSignIn } from "@/server/services/sign-in/required-codes";
import { STEP_UP_ACTS, setStepUp } from "@/server/services/sign-in/step-up";
import { resumeMerchant, suspendMerchant } from "@/server/services/suspension/suspend";
import { asOperator } from "../acting-as";
import { CELL_OPTION } from "../cell-option";
import { type Command, defineCommand, flag, oneOf, required } from "../command";
import { readDuration } from "../duration-option";
import { splitList } from "../lists";

const presentKey = ({ publicKey, secretKey }: CreatedKey) => ({ public_key: publicKey, secret_key: secretKey });

const create = defineCommand({
  name: "merchants create",
  summary: "Create a merchant; its test wallets are funded",
  cells: "cell",
  options: {
    name: required("NAME", "the merchant's name"),
    currencies: required("LIST", "enabled currencies and tokens, such as BRL,MXN,USDT"),
    cell: CELL_OPTION,
    withKeys: flag("also create a test and a live API key; their secrets are shown only once"),
  },
  run: async ({ name, currencies, withKeys }) => {
    const codes = [...new Set(splitList(currencies))];
    if (!withKeys) return { id: await createMerchant(name, codes), name, currencies: codes };
    const [test, live] = [newKeyPair("test"), newKeyPair("live")];
    const id = await createMerchant(name, codes, [test.kept, live.kept]);
    const keys = { test: presentKey(test.created), live: presentKey(live.created) };
    return { id, name, currencies: codes, keys };
  },
});

const setName = defineCommand({
  name: "merchants set-name",
  summary: "Set the merchant's name, which payers and members read",
  cells: "merchant",
  options: { merchant: required("ID", "the merchant"), name: required("NAME", "1 to 100 characters") },
  run: async ({ merchant, name }) => ({
    id: merchant,
    name: await renameMerchant(merchant, name),
  }),
});

const setCheckout = defineCommand({
  name: "merchants set-checkout",
  summary: "Set how payers of new payments pay: by the method's own next action, or always on the hosted page",
  cells: "merchant",
  options: {
    merchant: required("ID", "the merchant"),
    mode: oneOf(CHECKOUT_MODES, "direct: the method's own next action; hosted: a redirect to the hosted page"),
  },
  run: async ({ merchant, mode }) => {
    await setCheckoutMode(merchant, mode);
    return { id: merchant, checkout_mode: mode };
  },
});

const setTotp = defineCommand({
  name: "merchants set-totp",
  summary: "Set which acts in the dashboard require a one-time code",
  cells: "merchant",
  options: {
    merchant: required("ID", "the merchant"),
    requiredFor: required("LIST", `of ${STEP_UP_ACTS.join(", ")}; or none`),
  },
  run: async ({ merchant, requiredFor: list }) => ({
    id: merchant,
    totp_required_for: await setStepUp(
      asOperator({ merchantId: merchant, environment: "test" }),
      list === "none" ? [] : splitList(list),
    ),
  }),
});

const setSignInCodes = defineCommand({
  name: "merchants set-sign-in-codes",
  summary: "Set whether members need one-time codes to sign in",
  cells: "merchant",
  options: { merchant: required("ID", "the merchant"), required: oneOf(["yes", "no"], "whether codes are required") },
  run: async ({ merchant, required: isRequired }) => {
    await requireCodesToSignIn(asOperator({ merchantId: merchant, environment: "test" }), isRequired === "yes");
    return { id: merchant, totp_required_to_sign_in: isRequired === "yes" };
  },
});

const setCoolDown = defineCommand({
  name: "merchants set-cool-down",
  summary: "Set how long authority that a member gives waits in live before it counts (24h by default)",
  cells: "merchant",
  options: {
    merchant: required("ID", "the merchant"),
    time: required("DURATION", "such as 24h or 7d, at most 30d; or none"),
  },
  run: async ({ merchant, time }) => {
    const seconds = time === "none" ? 0 : readDuration("time", time);
    await setAuthorityCoolDown(merchant, seconds);
    return { id: merchant, authority_cool_down_seconds: seconds };
  },
});

const setCoolOff = defineCommand({
  name: "merchants set-recipient-cool-off",
  summary: "Set how long new saved recipients wait before members can pay them (24h in live, none in test by default)",
  cells: "merchant",
  options: {
    merchant: required("ID", "the merchant"),
    environment: oneOf(ENVIRONMENTS, "the environment"),
    time: required("DURATION", "such as 24h or 7d, at most 30d; or none"),
  },
  run: async ({ merchant, environment, time }) => {
    const seconds = time === "none" ? 0 : readDuration("time", time);
    await setRecipientCoolOff({ merchantId: merchant, environment }, seconds);
    return { id: merchant, environment, recipient_cool_off_seconds: seconds };
  },
});

const setChecks = defineCommand({
  name: "merchants set-account-checks",
  summary: "Set whether payouts over the API are rejected for wrong check digits and bank codes (no by default)",
  cells: "merchant",
  options: { merchant: required("ID", "the merchant"), checked: oneOf(["yes", "no"], "whether accounts are checked") },
  run: async ({ merchant, checked }) => {
    await setAccountChecks(merchant, checked === "yes");
    return { id: merchant, checks_accounts: checked === "yes" };
  },
});

const SUSPENSION = {
  merchant: required("ID", "the merchant"),
  reason: required("TEXT", "why, for the audit log"),
};

const suspend = defineCommand({
  name: "merchants suspend",
  summary: "Suspend a merchant: nothing new is created, approved or sent; reads and cancellations work",
  cells: "merchant",
  options: SUSPENSION,
  run: async ({ merchant, reason }) => {
    await suspendMerchant(merchant, reason);
    return { id: merchant, is_suspended: true };
  },
});

const resume = defineCommand({
  name: "merchants resume",
  summary: "Lift the suspension of a merchant; what waited is sent",
  cells: "merchant",
  options: SUSPENSION,
  run: async ({ merchant, reason }) => {
    await resumeMerchant(merchant, reason);
    return { id: merchant, is_suspended: false };
  },
});

export const merchants: readonly Command[] = [
  create,
  setName,
  setCheckout,
  setTotp,
  setSignInCodes,
  setCoolDown,
  setCoolOff,
  setChecks,
  suspend,
  resume,
];
