/** Something that is not right, and one sentence on what to do about it. */
export type Trouble = { readonly what: string; readonly remedy: string };

export type AreaReport = {
  readonly area: string;
  readonly findings: readonly Trouble[];
  /** What is worth knowing and nothing to correct. */
  readonly notes: readonly string[];
};

/** Collects what is found out about one area; `area` is the title of its report. */
export class Findings {
  readonly #findings: Trouble[] = [];
  readonly #notes: string[] = [];

  wrong(what: string, remedy: string): void {
    this.#findings.push({ what, remedy });
  }

  note(text: string): void {
    this.#notes.push(text);
  }

  report(area: string): AreaReport {
    return { area, findings: this.#findings, notes: this.#notes };
  }
}

export const reportText = (reports: readonly AreaReport[]): string => {
  const found = reports.flatMap(({ findings }) => findings).length;
  const last =
    found === 0
      ? 'Nothing to correct.'
      : `${found === 1 ? 'One finding' : `${found} findings`}. Correct what is marked with "!" and run this again.`;
  return [...reports.map(areaText), last].join('\n\n');
};

const areaText = ({ area, findings, notes }: AreaReport): string =>
  [
    `${area}: ${findings.length === 0 ? 'fine' : 'not right'}`,
    ...findings.flatMap(({ what, remedy }) => [`  ! ${what}`, `    ${remedy}`]),
    ...notes.map((text) => `  ${text}`),
  ].join('\n');
