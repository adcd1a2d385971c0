import { z } from "zod";
import { LONGEST_VIEW_NAME, VIEW_LISTS } from "@/server/domain/saved-view";
import { object, text } from "./fields";

const list = z.enum(VIEW_LISTS, { error: `must be one of ${VIEW_LISTS.join(", ")}` });

/** Without the blanks around it, which nobody sees. */
const name = z.string({ error: "must be a string" }).trim().normalize("NFC").pipe(text(1, LONGEST_VIEW_NAME));

export const viewsOfList = object({ list });

/** `query` is that of the list's address; what it says of a place in the list is left out. */
export const saveViewBody = object({ list, name, query: z.string().max(8_000, { error: "is too long" }) });

export const renameViewBody = object({ id: z.string().max(64), name });
