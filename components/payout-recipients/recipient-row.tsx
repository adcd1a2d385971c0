import { CircleCheck, Hourglass } from "lucide-react";
import { ActorLines } from "../intents/actor-lines";
import { Age } from "../time/age";
import { LocalTime } from "../time/local-time";
import { Badge } from "../ui/badge";
import { Button } from "../ui/button";
import { Cell, Row } from "../ui/data-table";
import { accountText, type Recipient } from "./recipient";

export const RECIPIENT_COLUMNS = [
  { label: "Recipient" },
  { label: "Country" },
  { label: "Currency" },
  { label: "State" },
  { label: "Added" },
  { label: "Actions", isLabelHidden: true },
] as const;

const ON_PHONE = "max-md:min-h-11 max-md:grow max-md:text-sm";

interface RecipientRowProps {
  readonly recipient: Recipient;
  /** Null for members who may not pay. */
  readonly onAct: ((act: "pay" | "remove") => void) | null;
}

export function RecipientRow({ recipient, onAct }: RecipientRowProps) {
  const { holder_name: name, is_usable: isUsable } = recipient;
  return (
    <Row>
      <Cell className="wrap-anywhere max-md:self-start">
        <span className="block font-medium">{name}</span>
        <span className="caption figures block">
          {accountText(recipient)}
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
          <Badge tone="good" Icon={CircleCheck} label="Can be paid" />
        ) : (
          <>
            <Badge tone="busy" Icon={Hourglass} label="New" />
            <span className="caption block">
              can be paid from <LocalTime iso={recipient.usable_from} />
            </span>
          </>
        )}
      </Cell>
      <Cell isWide>
        <span className="caption block md:text-sm md:text-ink">
          <span className="md:hidden">Added </span>
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
              aria-label={`Pay ${name}`}
              onClick={() => onAct("pay")}
            >
              Pay
            </Button>
            <Button size="small" className={ON_PHONE} aria-label={`Remove ${name}`} onClick={() => onAct("remove")}>
              Remove
            </Button>
          </span>
        ) : null}
      </Cell>
    </Row>
  );
}
