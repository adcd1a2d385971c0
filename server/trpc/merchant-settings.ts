// The settings of the merchant: every member reads them, owners change some, and the rest is the operator's.
import { z } from "zod";
import { formatInstant } from "@/server/contract/instants";
import { stepUpProof } from "@/server/contract/step-up";
import type { Brand } from "@/server/domain/brand";
import { CHECKOUT_MODES } from "@/server/domain/payment-intent";
import type { CallContext, Scope } from "@/server/domain/scope";
import { TOPUP_POLICIES, type TopupPolicies } from "@/server/domain/topup-terms";
import { MAXIMUM_BODY_BYTES } from "@/server/http/body";
import { actorNames, namedActor } from "@/server/services/members/names";
import { logoOf, setBrandByOwner } from "@/server/services/merchant-settings/brand";
import { renameByOwner, setCheckoutByOwner } from "@/server/services/merchant-settings/general";
import {
  changeTopupPolicies,
  confirmTopupPolicies,
  openProposal,
  rejectTopupPolicies,
} from "@/server/services/merchant-settings/topup-policies";
import { merchantSettings } from "@/server/services/merchants/settings";
import { requireStepUp } from "@/server/services/sign-in/step-up";
import { presentActor } from "./present/actor";
import { memberProcedure, router } from "./procedures";

const manage = memberProcedure("manage_settings");

/** Both environments share these settings, so a proof is asked for in test, too. */
function inLive(call: CallContext): CallContext {
  return { ...call, scope: { ...call.scope, environment: "live" } };
}

const policy = z.enum(TOPUP_POLICIES);
const proposal = z.object({ id: z.string().max(64) });

function presentPolicies({ overpayment, underpayment, latePayment }: TopupPolicies) {
  return { overpayment, underpayment, late_payment: latePayment };
}

async function presentBrand(merchantId: string, { color, logoSha256 }: Brand) {
  const logo = logoSha256 === null ? null : await logoOf(merchantId);
  return { color, logo: logo && `data:image/png;base64,${logo.toString("base64")}` };
}

async function presentProposal(scope: Scope, memberId: string) {
  const open = await openProposal(scope);
  if (!open) return null;
  const proposer = { type: "member", id: open.proposedById };
  return {
    id: open.id,
    replaced: presentPolicies(open.replaced),
    wanted: presentPolicies(open.wanted),
    proposed_by: presentActor(namedActor(proposer, await actorNames(scope.merchantId, [open.proposedById]))),
    proposed_at: formatInstant(open.proposedAt),
    is_mine: open.proposedById === memberId,
  };
}

export const merchantSettingsRouter = router({
  show: memberProcedure("read_settings").query(async ({ ctx: { call } }) => {
    const { merchantId, environment } = call.scope;
    const merchant = await merchantSettings(merchantId);
    const [brand, proposed] = await Promise.all([
      presentBrand(merchantId, merchant.brand),
      presentProposal(call.scope, call.actor.id),
    ]);
    const terms = merchant.topupTerms[environment];
    return {
      id: merchantId,
      name: merchant.name,
      brand,
      checkout_mode: merchant.checkoutMode,
      currencies: [...merchant.currencies].sort(),
      /** Nothing new is created in them; their wallets stay. */
      removed_currencies: [...merchant.walletCurrencies].filter((code) => !merchant.currencies.has(code)).sort(),
      /** Of new top-ups in the environment. */
      topup_terms: {
        spread_basis_points: terms.spreadBasisPoints,
        fee_mode: terms.feeMode,
        ...presentPolicies(terms),
      },
      /** Other terms that await another person. */
      proposed_topup_terms: proposed,
      checks_accounts: merchant.checksAccounts,
      authority_cool_down_seconds: merchant.authorityCoolDownSeconds,
      recipient_cool_off_seconds: merchant.recipientCoolOffSeconds[environment],
    };
  }),

  setName: manage
    .input(z.object({ ...stepUpProof.shape, name: z.string().max(1_000) }))
    .mutation(async ({ ctx: { call }, input }) => {
      await requireStepUp(inLive(call), "policies", input);
      return { name: await renameByOwner(call, input.name) };
    }),

  /** The logo is a PNG file in base64; it stays if omitted. */
  setBrand: manage
    .input(
      z.object({
        ...stepUpProof.shape,
        color: z.string().max(100).nullable(),
        logo: z.base64({ error: "must be base64" }).max(MAXIMUM_BODY_BYTES).nullable().optional(),
      }),
    )
    .mutation(async ({ ctx: { call }, input: { color, logo, ...proof } }) => {
      await requireStepUp(inLive(call), "policies", proof);
      const bytes = typeof logo === "string" ? Buffer.from(logo, "base64") : logo;
      const { color: set, logoSha256 } = await setBrandByOwner(call, { color, logo: bytes });
      return { color: set, has_logo: logoSha256 !== null };
    }),

  setCheckoutMode: manage
    .input(z.object({ ...stepUpProof.shape, mode: z.enum(CHECKOUT_MODES) }))
    .mutation(async ({ ctx: { call }, input }) => {
      await requireStepUp(inLive(call), "policies", input);
      await setCheckoutByOwner(call, input.mode);
      return { mode: input.mode };
    }),

  /** In effect at once in test; in live, another owner or admin must confirm. */
  changeTopupPolicies: manage
    .input(z.object({ ...stepUpProof.shape, overpayment: policy, underpayment: policy, late_payment: policy }))
    .mutation(async ({ ctx: { call }, input }) => {
      await requireStepUp(call, "policies", input);
      const { overpayment, underpayment, late_payment: latePayment } = input;
      return { is_in_effect: await changeTopupPolicies(call, { overpayment, underpayment, latePayment }) };
    }),

  confirmTopupPolicies: memberProcedure("decide_settings")
    .input(proposal.extend(stepUpProof.shape))
    .mutation(async ({ ctx: { call }, input }) => {
      await requireStepUp(call, "policies", input);
      await confirmTopupPolicies(call, input.id);
      return { id: input.id };
    }),

  /** The proposer can also use it, to withdraw the proposal. */
  rejectTopupPolicies: memberProcedure("decide_settings")
    .input(proposal)
    .mutation(async ({ ctx: { call }, input }) => {
      await rejectTopupPolicies(call, input.id);
      return { id: input.id };
    }),
});
