-- Three more kinds of exceptions. A callback that names no intent belongs to no merchant.
ALTER TABLE "exception"
  DROP CONSTRAINT "exception_kind_known",
  DROP CONSTRAINT "exception_has_a_merchant",
  ADD CONSTRAINT "exception_kind_known" CHECK (
    kind IN ('late_money', 'amount_mismatch', 'bank_return', 'funds_dropped', 'stuck', 'missing_internal',
             'missing_external', 'duplicate', 'unassigned_fee', 'ambiguous_receipt', 'contradiction',
             'unapplied_callback')),
  ADD CONSTRAINT "exception_has_a_merchant" CHECK (
    merchant_id <> '' OR kind IN ('missing_internal', 'duplicate', 'unassigned_fee', 'unapplied_callback'));
