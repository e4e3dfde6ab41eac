export function Account() {
  return (
    <div className="page">
      <title>Account · Kinora</title>
      <h1>Account</h1>
    </div>
  )
}
