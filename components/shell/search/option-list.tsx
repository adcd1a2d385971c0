// The options of the search. The field has the focus; pointing at an option chooses it, and its link opens it.
"use client";
import Link from "next/link";
import { useId } from "react";
import { useTexts } from "../../i18n/use-texts";
import { Age } from "../../time/age";
import { classNames } from "../../ui/class-names";
import type { OptionGroup, SearchOption } from "./option-groups";

interface ChoiceProps {
  readonly chosen: SearchOption | undefined;
  readonly idOf: (option: SearchOption) => string;
  readonly onClose: () => void;
  readonly onChoose: (key: string) => void;
}

interface OptionListProps extends ChoiceProps {
  readonly id: string;
  readonly groups: readonly OptionGroup[];
}

export function OptionList({ id, groups, ...choice }: OptionListProps) {
  const texts = useTexts();
  return (
    <div
      id={id}
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- no element lists the options of a combobox
      role="listbox"
      aria-label={texts("shell.results")}
      tabIndex={-1}
      className="max-h-[min(28rem,60dvh)] overflow-y-auto p-1.5"
    >
      {groups.map((group) => (
        <Group key={group.title} group={group} {...choice} />
      ))}
    </div>
  );
}

interface GroupProps extends ChoiceProps {
  readonly group: OptionGroup;
}

function Group({ group: { title, options, hasMore }, chosen, ...choice }: GroupProps) {
  const texts = useTexts();
  const titleId = useId();
  return (
    <fieldset aria-labelledby={titleId} className="min-w-0 py-1">
      <div className="caption flex justify-between gap-3 px-2.5 py-1">
        <span id={titleId}>{title}</span>
        {hasMore ? <span>{texts("shell.moreMatch")}</span> : null}
      </div>
      {options.map((option) => (
        <Option key={option.key} option={option} isChosen={option === chosen} {...choice} />
      ))}
    </fieldset>
  );
}

interface OptionProps extends Omit<ChoiceProps, "chosen"> {
  readonly option: SearchOption;
  readonly isChosen: boolean;
}

function Option({ option, isChosen, idOf, onClose, onChoose }: OptionProps) {
  const details = option.details.filter((part) => part !== null).join(" · ");
  const hasDetails = details !== "" || option.at !== undefined;
  return (
    <Link
      id={idOf(option)}
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- it is a link too, which a new tab can open
      role="option"
      aria-selected={isChosen}
      tabIndex={-1}
      href={option.href}
      prefetch={false}
      onClick={onClose}
      onMouseMove={() => onChoose(option.key)}
      className={classNames(
        "grid min-h-10 grid-cols-[auto_minmax(0,1fr)_auto] items-center gap-x-3 rounded-md px-2.5 py-1.5 text-sm",
        isChosen && "bg-accent-soft",
      )}
    >
      <option.Icon className="size-4.5 text-ink-soft" aria-hidden="true" />
      <span className="truncate">{option.title}</span>
      {option.end ? <span className={classNames("caption", hasDetails && "sm:row-span-2")}>{option.end}</span> : null}
      {hasDetails ? (
        <span className="caption flex gap-3 max-sm:col-[2/-1] sm:col-start-2">
          {details === "" ? null : <span className="min-w-0 truncate">{details}</span>}
          {option.at ? (
            <span className="shrink-0">
              <Age iso={option.at} />
            </span>
          ) : null}
        </span>
      ) : null}
    </Link>
  );
}
