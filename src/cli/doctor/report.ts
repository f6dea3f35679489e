/** Something that is not right, and one sentence on what to do about it. */
export type Finding = { readonly what: string; readonly remedy: string };

export type Report = {
  readonly area: string;
  readonly findings: readonly Finding[];
  /** What is worth knowing and nothing to correct. */
  readonly notes: readonly string[];
};

/** Collects what is found out about one area; `area` is the title of its report. */
export class Findings {
  readonly #findings: Finding[] = [];
  readonly #notes: string[] = [];

  wrong(what: string, remedy: string): void {
    this.#findings.push({ what, remedy });
  }

  note(text: string): void {
    this.#notes.push(text);
  }

  report(area: string): Report {
    return { area, findings: this.#findings, notes: this.#notes };
  }
}

export const reportText = (reports: readonly Report[]): string => {
  const found = reports.flatMap(({ findings }) => findings).length;
  const last =
    found === 0
      ? 'Nothing to correct.'
      : `${found === 1 ? 'One finding' : `${found} findings`}. Correct what is marked with "!" and run this again.`;
  return [...reports.map(areaText), last].join('\n\n');
};

const areaText = ({ area, findings, notes }: Report): string =>
  [
    `${area}: ${findings.length === 0 ? 'fine' : 'not right'}`,
    ...findings.flatMap(({ what, remedy }) => [`  ! ${what}`, `    ${remedy}`]),
    ...notes.map((text) => `  ${text}`),
  ].join('\n');
