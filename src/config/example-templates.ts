/** What templates.example.yml has: in the terminal with the sandbox they count without a file. */
export const EXAMPLE_TEMPLATES = `
receipt:
  text: "Thank you {name}. {shop} received {amount} on {date}. Reference {reference}."
reminder:
  text: "{shop}: please approve the payment of {amount}. No prompt? Dial *170#, My Wallet, My Approvals."
link:
  text: "{shop}: pay {amount} here: {link}"
ready:
  text: "Your order is ready. We are open until 6 pm. {shop}"
`;
