import { type Html, html, type HtmlContent } from './html';

const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto', style: 'short' });
const steps: Array<[Intl.RelativeTimeFormatUnit, number]> = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1_000],
];

/** A timestamp relative to now, such as "in 5 min.", with the timestamp as its tooltip. */
export function relativeTime(timestamp: string | undefined): Html {
  if (timestamp === undefined) return html`<span class="quiet">never</span>`;
  const distance = Date.parse(timestamp) - Date.now();
  const [unit, length] = steps.find(([, step]) => Math.abs(distance) >= step) ?? ['second', 1_000];
  const words = relative.format(Math.round(distance / length), unit);
  return html`<time datetime="${timestamp}" title="${timestamp}">${words}</time>`;
}

/** A word on a colored background. */
export function badge(word: string, tone: 'good' | 'bad' | 'busy' | 'plain'): Html {
  return html`<span class="badge ${tone}">${word}</span>`;
}

/** A text with a button that copies it. */
export function copyable(text: string): Html {
  return html`<span class="copyable"
    ><code>${text}</code
    ><button type="button" class="copy" data-copy="${text}" hidden>Copy</button></span
  >`;
}

/** A button that performs an action. The fields go with it. */
export function actionButton(
  label: string,
  action: string,
  fields: Record<string, HtmlContent>,
): Html {
  return html`<form method="post" action="${action}">
    ${Object.entries(fields).map(
      ([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`,
    )}<button>${label}</button>
  </form>`;
}

export function option(value: string, label = value): Html {
  return html`<option value="${value}">${label}</option>`;
}

/** A table, or a text instead when there are no rows. */
export function table(headings: string[], rows: Html[], emptyText: string): Html {
  if (rows.length === 0) return html`<p class="quiet">${emptyText}</p>`;
  return html`<div class="scroll">
    <table>
      <thead>
        <tr>
          ${headings.map((heading) => html`<th scope="col">${heading}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows}
      </tbody>
    </table>
  </div>`;
}

export function row(...cells: HtmlContent[]): Html {
  return html`<tr>
    ${cells.map((cell) => html`<td>${cell}</td>`)}
  </tr>`;
}

/** The last entries of a list, the latest first. */
export function latest<Entry>(list: readonly Entry[], count: number): Entry[] {
  return list.slice(-count).reverse();
}

export function formatNumber(value: number): string {
  return value.toLocaleString('en');
}
