// Lists: every element across pages, or page by page.

export interface Page<Element> {
  readonly data: Element[];
  readonly has_more: boolean;
  /** The cursor of the next page; null on the last one. */
  readonly next_cursor: string | null;
}

/**
 * A list that loads its pages when they are read, newest element first. `for await (const element of list)` reads them all;
 * elements that are created meanwhile do not appear.
 */
export class List<Element> implements AsyncIterable<Element> {
  readonly #load: (cursor: string | undefined) => Promise<Page<Element>>;

  constructor(load: (cursor: string | undefined) => Promise<Page<Element>>) {
    this.#load = load;
  }

  /** Loads the first page only, or the one after the parameter `cursor`. */
  firstPage(): Promise<Page<Element>> {
    return this.#load(undefined);
  }

  /** Loads one page after another; `next_cursor` of a page continues the list later, as the parameter `cursor`. */
  async *pages(): AsyncGenerator<Page<Element>, void> {
    let page = await this.firstPage();
    yield page;
    while (page.next_cursor !== null) {
      page = await this.#load(page.next_cursor);
      yield page;
    }
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Element, void> {
    for await (const { data } of this.pages()) yield* data;
  }
}

/** The query of a page: the same filters, and the cursor of the page before; the query's own for the first page. */
export function withCursor(query: object | undefined, cursor: string | undefined): object {
  return { ...query, ...(cursor === undefined ? {} : { cursor }) };
}
