import { Notice } from "../ui/notice";

const ROLES = [
  { role: "owner", about: "everything, and who the owners and admins are" },
  { role: "admin", about: "everything but owners and admins" },
  { role: "approver", about: "approves and cancels payouts" },
  { role: "finance", about: "reads, exports, looks after exceptions" },
  { role: "developer", about: "keys, webhooks, API logs" },
] as const;

interface RolePickerProps {
  readonly legend?: string;
  readonly chosen: readonly string[];
  /** Only an owner can grant owner and admin. */
  readonly mayGiveAll: boolean;
  /** The roles that the member has already. */
  readonly held?: readonly string[];
  readonly onChange: (roles: readonly string[]) => void;
}

export function RolePicker({ legend = "Roles", chosen, mayGiveAll, held = [], onChange }: RolePickerProps) {
  return (
    <fieldset className="grid gap-1">
      <legend className="mb-1 text-sm font-medium">{legend}</legend>
      {ROLES.map(({ role, about }) => (
        <label key={role} className="flex min-h-8 items-start gap-2.5 py-1 text-sm has-disabled:text-ink-soft">
          <input
            type="checkbox"
            className="mt-0.5 size-4.5 shrink-0 accent-accent"
            checked={chosen.includes(role)}
            disabled={!mayGiveAll && (role === "owner" || role === "admin")}
            onChange={(event) =>
              onChange(event.target.checked ? [...chosen, role] : chosen.filter((other) => other !== role))
            }
          />
          <span>
            {role}: {about}
          </span>
        </label>
      ))}
      {chosen.includes("owner") && !held.includes("owner") ? <OwnerGain /> : null}
      {mayGiveAll ? null : <p className="caption">Only an owner gives or takes away owner and admin.</p>}
    </fieldset>
  );
}

function OwnerGain() {
  return (
    <Notice tone="plain" className="mt-1">
      An owner can do everything: approve payouts, change approval policies and payout limits, create API keys, change
      the merchant's settings, and add or disable every member, you included. If there is another owner, they must
      confirm it.
    </Notice>
  );
}
