const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Text that is already HTML. */
export class Html {
  constructor(readonly text: string) {}
}

export type HtmlContent = Html | string | number | false | undefined | readonly HtmlContent[];

/** A template that escapes its values, except those that are Html, and joins lists. */
export function html(strings: TemplateStringsArray, ...values: HtmlContent[]): Html {
  return new Html(String.raw({ raw: strings }, ...values.map(render)));
}

function render(content: HtmlContent): string {
  if (content === undefined || content === false) return '';
  if (content instanceof Html) return content.text;
  if (typeof content === 'string')
    return content.replace(/[&<>"']/g, (sign) => `${entities[sign]}`);
  if (typeof content === 'number') return String(content);
  return content.map(render).join('');
}
