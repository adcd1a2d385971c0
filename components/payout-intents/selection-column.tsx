// The column that selects payouts for deciding on several at once, with a box in its header for all on the page.
import type { Texts } from "../i18n/dashboard-texts";
import type { ListColumn } from "../lists/list-column";
import { type Payout, sumAndRecipient } from "./payout";
import type { Selection } from "./use-selection";

const BOX = "size-5 accent-accent";

export function selectionColumn(
  texts: Texts,
  { selectable, isSelectable, isSelected, toggle, setAll }: Selection,
): ListColumn<Payout> {
  const isAll = selectable.length > 0 && selectable.every(isSelected);
  return {
    name: "select",
    label: texts("payouts.select"),
    isLabelHidden: true,
    isFixed: true,
    className: "w-px pr-0 max-md:hidden",
    control: (
      <input
        type="checkbox"
        aria-label={texts("payouts.selectPage")}
        checked={isAll}
        disabled={selectable.length === 0}
        onChange={() => setAll(selectable, !isAll)}
        className={`${BOX} align-middle max-md:hidden`}
      />
    ),
    cell: (payout) =>
      isSelectable(payout) ? (
        <input
          type="checkbox"
          aria-keyshortcuts="x"
          aria-label={texts("payouts.selectLabel", { sumAndRecipient: sumAndRecipient(texts, payout) })}
          checked={isSelected(payout)}
          onChange={() => toggle(payout)}
          className={`${BOX} block`}
        />
      ) : (
        <span className="block size-5" />
      ),
  };
}
