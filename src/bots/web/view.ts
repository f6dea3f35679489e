/** What the page may be made of: the page builds elements of these alone, so no text becomes markup. */
export type Tag =
  | ('article' | 'b' | 'blockquote' | 'button' | 'code' | 'dd' | 'div' | 'dl' | 'dt' | 'h2' | 'h3')
  | (
      | 'a'
      | 'form'
      | 'i'
      | 'img'
      | 'input'
      | 'label'
      | 'li'
      | 'ol'
      | 'option'
      | 'p'
      | 'pre'
      | 'select'
      | 's'
    )
  | ('section' | 'small' | 'span' | 'textarea' | 'u' | 'ul' | 'br' | 'hr');

export type Attribute =
  | ('aria-describedby' | 'aria-invalid' | 'aria-label' | 'class' | 'data-press' | 'for' | 'href')
  | ('id' | 'maxlength' | 'name' | 'placeholder' | 'required' | 'selected' | 'type' | 'value')
  | ('alt' | 'aria-hidden' | 'data-message' | 'download' | 'rows' | 'src');

export type View = string | ViewElement;

export type ViewElement = {
  readonly tag: Tag;
  readonly attributes?: Readonly<Partial<Record<Attribute, string>>>;
  readonly children?: readonly View[];
};

export const element = (tag: Tag, name: string, children: readonly View[] = []): ViewElement => ({
  tag,
  attributes: { class: name },
  children,
});
