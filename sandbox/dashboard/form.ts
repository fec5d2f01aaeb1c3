/** A form that can't be carried out: the message says why. */
export class FormError extends Error {
  override readonly name = 'FormError';
}

/** The fields of a form that was sent. */
export class Form {
  readonly #fields: URLSearchParams;

  constructor(body: string) {
    this.#fields = new URLSearchParams(body);
  }

  /** A text without blanks around it; empty when it is absent. */
  text(name: string): string {
    return this.#fields.get(name)?.trim() ?? '';
  }

  /** Every value of a field that may come several times. */
  all(name: string): string[] {
    return this.#fields.getAll(name);
  }

  /**
   * A number, or undefined when nothing was filled in.
   * @throws FormError when it is none
   */
  number(name: string): number | undefined {
    const text = this.text(name);
    if (text === '') return undefined;
    const value = Number(text);
    if (!Number.isFinite(value)) throw new FormError(`"${text}" is not a number.`);
    return value;
  }

  /**
   * What `find` gives for the field `id`.
   * @throws FormError when it gives nothing
   */
  record<Record>(find: (id: number) => Record | undefined): Record {
    const record = find(Number(this.text('id')));
    if (record === undefined) throw new FormError('That no longer exists.');
    return record;
  }
}
