export function User() {
  return (
    <div className="page">
      <title>User · Kinora</title>
      <h1>User</h1>
    </div>
  )
}
