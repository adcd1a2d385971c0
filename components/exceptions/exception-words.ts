import type { ExceptionKind } from "@/server/domain/exceptions";
import type { Settlement } from "@/server/domain/suspense";

interface KindWords {
  readonly label: string;
  readonly meaning: string;
  readonly advice: string;
}

export const KIND_WORDS: Readonly<Record<ExceptionKind, KindWords>> = {
  late_money: {
    label: "Late money",
    meaning: "The provider moved money after this had ended. It is kept in suspense.",
    advice: "Credit it to the wallet, or have the provider send it back.",
  },
  amount_mismatch: {
    label: "Amount mismatch",
    meaning: "The provider moved another sum than agreed, or its settlement file has another sum than our books.",
    advice: "Find out which side is right. Money in suspense is credited or sent back.",
  },
  bank_return: {
    label: "Payout came back",
    meaning: "The recipient's bank returned a payout that had left. The wallet has the money again.",
    advice: "Check the recipient's account, and make a new payout if the money is still owed.",
  },
  funds_dropped: {
    label: "Funds vanished",
    meaning: "Funds of a top-up were gone after they had been credited. Suspense is short of them.",
    advice: "Take them back from the wallet, or bear the loss.",
  },
  stuck: {
    label: "Stands still",
    meaning: "Nothing has happened to it for a day, or its provider may have forgotten it.",
    advice: "Ask the provider. If the intent still does not end, two people resolve it with the provider's evidence.",
  },
  missing_internal: {
    label: "Not in our books",
    meaning: "The provider's settlement file has a line that our books do not have.",
    advice: "Ask the provider. Two operators book it with a journal entry, which also closes this.",
  },
  missing_external: {
    label: "Not in the settlement",
    meaning: "Our books have a movement that no line of the provider's files settles.",
    advice: "Ask the provider. This closes by itself when a later file has the line.",
  },
  duplicate: {
    label: "Duplicate",
    meaning: "The settlement file settles a movement that another line has settled already.",
    advice: "Ask for the second sum back, or give it back.",
  },
  unassigned_fee: {
    label: "Unassigned fee",
    meaning: "The provider charged a fee that names no intent.",
    advice: "Book it where you keep your own costs.",
  },
  ambiguous_receipt: {
    label: "Possible second receipt",
    meaning: "The provider reported money that may be the receipt already booked, or a second one. Nothing was booked.",
    advice: "Ask the provider how many payments it received.",
  },
  contradiction: {
    label: "Contradicting reports",
    meaning:
      "The provider's report contradicts an earlier answer or the intent. Nothing was sent, settled or released.",
    advice: "Ask the provider what really happened before you resolve the intent.",
  },
  screening_hold: {
    label: "Held by screening",
    meaning: "The operator's screener holds the payout. It has not been sent, and its funds stay held.",
    advice: "Open the payout, and release or refuse it there. Whoever made it cannot release it.",
  },
  unapplied_callback: {
    label: "Callback not applied",
    meaning: "A callback could not be read or verified, names no known intent, or failed on every try.",
    advice: "Find out what it reports, then apply it again.",
  },
};

interface SettlementWords {
  /** "Credit" of "Credit 10.50 BRL". */
  readonly verb: string;
  readonly label: string;
  readonly effect: string;
  readonly done: string;
}

export const SETTLEMENT_WORDS: Readonly<Record<Settlement, SettlementWords>> = {
  credit: {
    verb: "Credit",
    label: "Credit it to the wallet",
    effect: "It becomes available at once; of a top-up on the top-up's own terms.",
    done: "Credited",
  },
  refund: {
    verb: "Note the return of",
    label: "Return to payer",
    effect: "By hand: we only record it. Have the provider send it back first.",
    done: "Sent back",
  },
  recover: {
    verb: "Recover",
    label: "Take it from the wallet",
    effect: "The wallet must have it available.",
    done: "Recovered",
  },
  absorb: {
    verb: "Bear",
    label: "Bear the loss",
    effect: "The wallet keeps what it has; the sum is booked as a cost.",
    done: "Borne",
  },
  restore: {
    verb: "Note the arrival of",
    label: "The money came after all",
    effect: "The provider has it again; the wallet stays as it is.",
    done: "Restored",
  },
};
