// The time zone of the reader's days, as an input of procedures.
import { z } from "zod";
import { zoneNamed } from "@/server/domain/wall-clock";

/** An IANA name; browsers use old names too. */
export const timeZone = z
  .string()
  .max(64)
  .transform((name, { addIssue }) => {
    const zone = zoneNamed(name);
    if (zone === null) addIssue("must be an IANA name such as Europe/Berlin");
    return zone ?? z.NEVER;
  });
