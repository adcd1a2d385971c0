import { CircleCheck, Hourglass } from "lucide-react";
import type { Texts } from "../i18n/dashboard-texts";
import { useTexts } from "../i18n/use-texts";
import { ActorLines } from "../intents/actor-lines";
import { Age } from "../time/age";
import { LocalTime } from "../time/local-time";
import { Badge } from "../ui/badge";
import { Button } from "../ui/button";
import { Cell, Row } from "../ui/data-table";
import { accountText, type Recipient } from "./recipient";

export const recipientColumnsIn = (texts: Texts) =>
  [
    { label: texts("recipients.recipient") },
    { label: texts("recipients.country") },
    { label: texts("recipients.currency") },
    { label: texts("recipients.state") },
    { label: texts("recipients.added") },
    { label: texts("recipients.actions"), isLabelHidden: true },
  ] as const;

const ON_PHONE = "max-md:min-h-11 max-md:grow max-md:text-sm";

interface RecipientRowProps {
  readonly recipient: Recipient;
  /** Null for members who may not pay. */
  readonly onAct: ((act: "pay" | "remove") => void) | null;
}

export function RecipientRow({ recipient, onAct }: RecipientRowProps) {
  const texts = useTexts();
  const { holder_name: name, is_usable: isUsable } = recipient;
  return (
    <Row>
      <Cell className="wrap-anywhere max-md:self-start">
        <span className="block font-medium">{name}</span>
        <span className="caption figures block">
          {accountText(texts, recipient)}
          <span className="md:hidden">
            {" "}
            · {recipient.country} · {recipient.currency}
          </span>
        </span>
      </Cell>
      <Cell isDetail>{recipient.country}</Cell>
      <Cell isDetail>{recipient.currency}</Cell>
      <Cell className="max-md:max-w-32 max-md:self-start max-md:text-right">
        {isUsable ? (
          <Badge tone="good" Icon={CircleCheck} label={texts("recipients.canBePaid")} />
        ) : (
          <>
            <Badge tone="busy" Icon={Hourglass} label={texts("recipients.new")} />
            <span className="caption block">
              {texts.rich("recipients.canBePaidFrom", { localTime: () => <LocalTime iso={recipient.usable_from} /> })}
            </span>
          </>
        )}
      </Cell>
      <Cell isWide>
        <span className="caption block md:text-sm md:text-ink">
          <span className="md:hidden">{texts("recipients.added")} </span>
          <Age iso={recipient.created_at} />
        </span>
        <ActorLines actor={recipient.saved_by} />
      </Cell>
      <Cell isWide className="whitespace-nowrap max-md:empty:hidden md:text-right">
        {onAct ? (
          <span className="flex gap-2 md:justify-end">
            <Button
              size="small"
              tone="row"
              className={ON_PHONE}
              disabled={!isUsable}
              aria-label={texts("recipients.payName", { name })}
              onClick={() => onAct("pay")}
            >
              {texts("recipients.pay")}
            </Button>
            <Button
              size="small"
              className={ON_PHONE}
              aria-label={texts("recipients.removeName", { name })}
              onClick={() => onAct("remove")}
            >
              {texts("recipients.remove")}
            </Button>
          </span>
        ) : null}
      </Cell>
    </Row>
  );
}
