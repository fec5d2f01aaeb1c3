/** The action of a form failed. The message says why. */
export class FormError extends Error {
  override readonly name = 'FormError';
}

/** The fields of a submitted form. */
export class Form {
  readonly #fields: URLSearchParams;

  constructor(body: string) {
    this.#fields = new URLSearchParams(body);
  }

  /** The trimmed text of a field; empty when it is absent. */
  text(name: string): string {
    return this.#fields.get(name)?.trim() ?? '';
  }

  /** Every value of a field that may occur several times. */
  all(name: string): string[] {
    return this.#fields.getAll(name);
  }

  /**
   * The number in a field; undefined when the field is empty.
   * @throws FormError when it isn't a number
   */
  number(name: string): number | undefined {
    const text = this.text(name);
    if (text === '') return undefined;
    const value = Number(text);
    if (!Number.isFinite(value)) throw new FormError(`"${text}" is not a number.`);
    return value;
  }

  /**
   * The record whose ID is in the field `id`.
   * @throws FormError when `find` doesn't find it
   */
  record<Record>(find: (id: number) => Record | undefined): Record {
    const record = find(Number(this.text('id')));
    if (record === undefined) throw new FormError('This record no longer exists.');
    return record;
  }
}
